#include "exports/torchscript_weights.h"

#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/error.h"
#include "model/pickle_reader.h"
#include "model/zip_archive.h"

namespace ventris::exports {
namespace {

constexpr const char* kPickle = "data.pkl";

class Converter {
 public:
  Converter(const model::ZipArchive& archive, const std::string& path) : archive_(archive), path_(path) {
    const std::string where = path + " (" + kPickle + ")";
    const auto pickle = archive.entries.find(kPickle);
    if (pickle == archive.entries.end()) fail<ModelError>(where, ": missing; expected a TorchScript file");
    for (const auto& [name, bytes] : archive.entries) bytes_left_ += bytes.size();
    for (model::PickledTensor& tensor : model::read_pickled_tensors(pickle->second, where)) {
      const std::string name = tensor.name;
      tensors_.emplace(name, std::move(tensor));
    }
  }

  /// Adds a tensor of the model, or its tie to one before it.
  void add(const std::string& name, const std::vector<int64_t>& shape) {
    const auto found = tensors_.find(name);
    if (found == tensors_.end())
      fail<ModelError>(path_, ": has no tensor '", name, "'; expected a model of ventris-export");
    const model::PickledTensor& tensor = found->second;
    check(tensor, shape);
    const auto [place, fresh] = stored_.emplace(std::tuple(tensor.storage, tensor.offset, shape), name);
    if (!fresh) {
      metadata_["alias:" + name] = place->second;
    } else {
      views_.push_back({name, model::DType::kF32, shape, bytes_of(tensor)});
      count(views_.back());
    }
  }

  std::string file() const { return model::write_safetensors(views_, metadata_); }

 private:
  void check(const model::PickledTensor& tensor, const std::vector<int64_t>& shape) const {
    if (tensor.shape != shape) {
      fail<ModelError>(path_, ": tensor '", tensor.name, "': expected shape ", model::shape_text(shape),
                       " as in config.json, found ", model::shape_text(tensor.shape));
    }
    int64_t stride = 1;
    bool row_major = tensor.strides.size() == shape.size();
    for (size_t i = shape.size(); row_major && i-- > 0;) {
      row_major = shape[i] == 1 || tensor.strides[i] == stride;
      stride = static_cast<int64_t>(static_cast<uint64_t>(stride) * static_cast<uint64_t>(shape[i]));
    }
    if (row_major && tensor.storage_type == "FloatStorage") return;
    fail<ModelError>(path_, ": tensor '", tensor.name, "': expected row-major 32-bit floats, found another layout or ",
                     "type; use the bundle, or export it again");
  }

  /// Each tensor is copied. Together they must not be larger than the file, as they would be if they shared bytes.
  void count(const model::TensorView& tensor) {
    if (tensor.bytes.size() > bytes_left_) {
      fail<ModelError>(path_, ": damaged: its tensors up to '", tensor.name,
                       "' have more bytes than the file; expected ",
                       "tensors that do not share bytes unless they are tied");
    }
    bytes_left_ -= tensor.bytes.size();
  }

  std::string_view bytes_of(const model::PickledTensor& tensor) const {
    const auto entry = archive_.entries.find("data/" + tensor.storage);
    const auto size = static_cast<uint64_t>(size_of(model::DType::kF32));
    const auto count = static_cast<uint64_t>(model::elements_of(tensor.shape)),
               offset = static_cast<uint64_t>(tensor.offset);
    if (entry == archive_.entries.end() || offset > entry->second.size() / size ||
        count > entry->second.size() / size - offset) {
      fail<ModelError>(path_, ": damaged: tensor '", tensor.name, "' is not in its storage");
    }
    return std::string_view(entry->second).substr(offset * size, count * size);
  }

  const model::ZipArchive& archive_;
  const std::string& path_;
  uint64_t bytes_left_ = 0;  // for tensors
  std::map<std::string, model::PickledTensor> tensors_;
  using Place = std::tuple<std::string, int64_t, std::vector<int64_t>>;  // storage, offset and shape
  std::map<Place, std::string> stored_;                                  // place -> name of the tensor
  std::vector<model::TensorView> views_;
  std::map<std::string, std::string> metadata_{{"format", "pt"}};
};

}  // namespace

std::string weights_of_torchscript(const model::Package& package) {
  const model::ZipArchive archive = model::ZipArchive::open(*package.script, package.path, model::ZipArchive::all);
  Converter converter(archive, package.path);
  package.config.architecture->each_tensor(
      [&](const std::string& name, const std::vector<int64_t>& shape) { converter.add(name, shape); });
  return converter.file();
}

}  // namespace ventris::exports
