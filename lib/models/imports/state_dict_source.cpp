#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "imports/model_files.h"
#include "imports/saved_checkpoint.h"
#include "imports/tensor_source.h"
#include "model/floats.h"
#include "model/pickle_reader.h"
#include "model/safetensors.h"
#include "model/zip_archive.h"

namespace ventris::imports {
namespace {

using model::DType;

constexpr const char* kPickle = "data.pkl";
/// How the pickles of torch.save began before it wrote zip files.
constexpr std::string_view kOldFormat("\x80\x02\x8a\x0al\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 14);

std::optional<DType> type_of(const std::string& storage) {
  static const std::map<std::string, DType> kTypes{
      {"FloatStorage", DType::kF32}, {"HalfStorage", DType::kF16}, {"BFloat16Storage", DType::kBf16}};
  const auto found = kTypes.find(storage);
  if (found == kTypes.end()) return std::nullopt;
  return found->second;
}

bool is_row_major(const model::PickledTensor& tensor) {
  if (tensor.strides.size() != tensor.shape.size()) return false;
  uint64_t stride = 1;  // wraps around for a shape without elements
  for (size_t i = tensor.shape.size(); i-- > 0; stride *= static_cast<uint64_t>(tensor.shape[i])) {
    if (tensor.shape[i] != 1 && static_cast<uint64_t>(tensor.strides[i]) != stride) return false;
  }
  return true;
}

std::string where_pickle(const std::string& path) { return path + " (" + kPickle + ")"; }

void refuse_old_format(const std::string& path) {
  if (first_bytes(path, kOldFormat.size()) != kOldFormat) return;
  fail<ModelError>(path, ": is in the format that torch.save wrote before PyTorch 1.6; open it with torch.load and ",
                   "save it again");
}

class StateDict : public TensorSource {
 public:
  StateDict(std::string path, model::ZipArchive archive, std::vector<model::PickledTensor> tensors)
      : path_(std::move(path)), archive_(std::move(archive)) {
    for (model::PickledTensor& tensor : tensors) {
      order_.push_back(tensor.name);
      tensors_.emplace(tensor.name, std::move(tensor));
    }
  }

  const std::string& where() const override { return path_; }
  std::vector<std::string> names() const override { return order_; }
  bool contains(const std::string& name) const override { return tensors_.contains(name); }
  /// Throws ModelError if there are fewer elements in the file, so that nothing is allocated for what is not there.
  std::vector<int64_t> shape(const std::string& name) const override {
    const model::PickledTensor& tensor = at(name);
    const auto type = type_of(tensor.storage_type);
    const int64_t elements = model::elements_of(tensor.shape);
    if (type && elements >= 0) bytes_of(tensor, static_cast<uint64_t>(elements), *type);
    return tensor.shape;
  }
  std::vector<float> floats(const std::string& name) const override {
    const model::PickledTensor& tensor = at(name);
    const auto type = type_of(tensor.storage_type);
    if (!type) {
      fail<ModelError>(path_, ": tensor '", name, "': expected 32-bit or 16-bit floats, found ", tensor.storage_type);
    }
    const int64_t elements = model::elements_of(tensor.shape);
    if (elements < 0 || !is_row_major(tensor)) {
      fail<ModelError>(path_, ": tensor '", name, "': expected row-major elements, found another layout; save it ",
                       "again after .contiguous()");
    }
    return model::floats_from(bytes_of(tensor, static_cast<uint64_t>(elements), *type), *type);
  }

 private:
  const model::PickledTensor& at(const std::string& name) const {
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) fail<ModelError>(path_, ": has no tensor '", name, "'");
    return found->second;
  }

  std::string_view bytes_of(const model::PickledTensor& tensor, uint64_t count, DType type) const {
    const auto entry = archive_.entries.find("data/" + tensor.storage);
    const auto size = static_cast<uint64_t>(model::size_of(type)), offset = static_cast<uint64_t>(tensor.offset);
    if (entry == archive_.entries.end() || offset > entry->second.size() / size ||
        count > entry->second.size() / size - offset) {
      fail<ModelError>(path_, ": damaged: tensor '", tensor.name, "' is not in its storage");
    }
    return std::string_view(entry->second).substr(offset * size, count * size);
  }

  std::string path_;
  model::ZipArchive archive_;
  std::vector<std::string> order_;
  std::map<std::string, model::PickledTensor> tensors_;
};

}  // namespace

std::unique_ptr<TensorSource> open_state_dict(const std::string& path) {
  refuse_old_format(path);
  model::ZipArchive archive = model::ZipArchive::open(path, path, model::ZipArchive::all);
  const auto pickle = archive.entries.find(kPickle);
  if (pickle == archive.entries.end()) {
    fail<ModelError>(where_pickle(path), ": missing; expected a file of torch.save");
  }
  auto tensors = model::read_pickled_tensors(pickle->second, where_pickle(path));
  return std::make_unique<StateDict>(path, std::move(archive), std::move(tensors));
}

Checkpoint open_checkpoint(const std::string& path, const model::PickledKeys& keys) {
  refuse_old_format(path);
  const core::SharedBytes pickle = files_of_zip(path, kPickle)->read(kPickle);
  Checkpoint checkpoint;
  auto tensors = model::read_pickled_checkpoint(pickle.view(), where_pickle(path), keys, checkpoint.values);
  std::set<std::string> storages;  // without those of an optimizer, which are twice as large
  for (const model::PickledTensor& tensor : tensors) storages.insert("data/" + tensor.storage);
  auto archive = model::ZipArchive::open(path, path, [&](const std::string& name) { return storages.contains(name); });
  checkpoint.tensors = std::make_unique<StateDict>(path, std::move(archive), std::move(tensors));
  return checkpoint;
}

std::vector<std::string> checkpoint_keys(const std::string& path) {
  if (!is_zip_with(path, kPickle)) return {};
  try {
    const core::SharedBytes bytes = files_of_zip(path, kPickle)->read(kPickle);
    return model::pickled_keys(bytes.view(), where_pickle(path));
  } catch (const ModelError&) {
    return {};
  }
}

}  // namespace ventris::imports
