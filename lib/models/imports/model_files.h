#pragma once
#include <memory>
#include <string>

#include "core/shared_bytes.h"

namespace ventris::imports {

/// The files of a model: in a folder, or in the only folder of a zip file. Names may have folders: "model/model.bin".
class ModelFiles {
 public:
  virtual ~ModelFiles() = default;

  virtual bool contains(const std::string& name) const = 0;
  /// Throws ModelError with the reason if the file cannot be read.
  virtual core::SharedBytes read(const std::string& name) const = 0;
  /// The name of a file in messages.
  virtual std::string where(const std::string& name) const = 0;

  std::string read_text(const std::string& name) const { return std::string(read(name).view()); }
};

std::unique_ptr<ModelFiles> files_of_folder(const std::string& folder);

/// The files of a zip file, in the folder that has the file `marker` ("metadata.json"), or all if it is empty. They are
/// unpacked in memory, one at a time, and nothing is written. Throws ModelError for a file that is no zip file, names
/// that lead outside it, entries that share bytes, and entries that would be many times larger than they are in the
/// file.
std::unique_ptr<ModelFiles> files_of_zip(const std::string& path, const std::string& marker);

/// Whether it is a zip file in which a folder has the file `marker`. Throws nothing.
bool is_zip_with(const std::string& path, const std::string& marker);
/// The same, but `name` is in no folder.
bool is_zip_with_top(const std::string& path, const std::string& name);

}  // namespace ventris::imports
