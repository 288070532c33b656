#include "model/exported_files.h"

#include <set>
#include <utility>
#include <vector>

#include "core/error.h"
#include "model/pickle_reader.h"
#include "model/zip_archive.h"

namespace ventris::model {
namespace {

constexpr const char* kAttributes = "data.pkl";
constexpr const char* kStorages = "data/";

/// The tensors of the attribute; their names are those of the files.
std::vector<PickledTensor> files_in(std::string_view pickle) {
  const std::string prefix = std::string(kFilesAttribute) + ".";
  std::vector<PickledTensor> found;
  try {
    for (PickledTensor& tensor : read_pickled_tensors(pickle, kAttributes)) {
      if (!tensor.name.starts_with(prefix)) continue;
      tensor.name.erase(0, prefix.size());
      found.push_back(std::move(tensor));
    }
  } catch (const ModelError&) {
    return {};  // a file of another program; that it lacks our files is what its user has to know
  }
  return found;
}

/// Whether the tensor is a row of bytes in this storage.
bool is_within(const PickledTensor& tensor, const std::string& storage) {
  if (tensor.storage_type != "ByteStorage" || tensor.shape.size() != 1 || tensor.strides.size() != 1) return false;
  const auto offset = static_cast<uint64_t>(tensor.offset), count = static_cast<uint64_t>(tensor.shape[0]);
  return (tensor.strides[0] == 1 || count <= 1) && offset <= storage.size() && count <= storage.size() - offset;
}

}  // namespace

ExportedFiles::ExportedFiles(const std::string& file, const std::string& path) : file_(file), path_(path) {
  ZipArchive archive = ZipArchive::open(file, path, [](const std::string& name) { return name == kAttributes; });
  extra_ = std::move(archive.extra);
  pickle_ = std::move(archive.entries[kAttributes]);
}

const std::string& ExportedFiles::at(const std::string& name) {
  const auto found = extra_.find(name);
  if (found != extra_.end() && !found->second.empty()) return found->second;
  if (!in_module_) in_module_ = read_module();
  const auto kept = in_module_->find(name);
  if (kept != in_module_->end()) return kept->second;
  if (found != extra_.end()) return found->second;
  fail<ModelError>(path_, ": has no ", name, "; expected a TorchScript file of ventris-export");
}

std::map<std::string, std::string> ExportedFiles::read_module() const {
  const std::vector<PickledTensor> tensors = files_in(pickle_);
  std::set<std::string> wanted;
  for (const PickledTensor& tensor : tensors) wanted.insert(kStorages + tensor.storage);
  std::map<std::string, std::string> files;
  if (wanted.empty()) return files;
  const ZipArchive archive =
      ZipArchive::open(file_, path_, [&](const std::string& name) { return wanted.contains(name); });
  uint64_t bytes_left = 0;  // the copies together are not larger than what they are copied from
  for (const auto& [name, storage] : archive.entries) bytes_left += storage.size();
  for (const PickledTensor& tensor : tensors) {
    const auto entry = archive.entries.find(kStorages + tensor.storage);
    if (entry == archive.entries.end() || !is_within(tensor, entry->second)) {
      fail<ModelError>(path_, ": damaged: ", kFilesAttribute, "['", tensor.name, "'] of its module is not whole");
    }
    const auto size = static_cast<uint64_t>(tensor.shape[0]);
    if (size > bytes_left) {
      fail<ModelError>(path_, ": damaged: ", kFilesAttribute, "['", tensor.name,
                       "'] of its module shares its bytes with another file");
    }
    bytes_left -= size;
    files[tensor.name] = entry->second.substr(static_cast<size_t>(tensor.offset), static_cast<size_t>(tensor.shape[0]));
  }
  return files;
}

}  // namespace ventris::model
