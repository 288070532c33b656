#pragma once
#include <map>
#include <optional>
#include <string>

namespace ventris::model {

/// The attribute of an exported module that holds the extra files once more, as a dictionary of tensors of bytes.
/// torch.jit.save writes it, but leaves out extra files that it is not given.
inline constexpr const char* kFilesAttribute = "extra_files";

/// The configuration and the tokenizers in a TorchScript export: its extra files, and in place of missing or empty ones
/// those in its module.
class ExportedFiles {
 public:
  /// Reads the archive `file`, whose name in messages is `path`, and checks every CRC. Nothing is run. Throws
  /// ModelError.
  ExportedFiles(const std::string& file, const std::string& path);

  /// The content of a file. Throws ModelError if the export does not have it.
  const std::string& at(const std::string& name);

 private:
  std::map<std::string, std::string> read_module() const;

  std::string file_, path_;
  std::string pickle_;                        // the attributes of the module; weights are elsewhere
  std::map<std::string, std::string> extra_;  // files
  std::optional<std::map<std::string, std::string>> in_module_;  // read only if a file is missing
};

}  // namespace ventris::model
