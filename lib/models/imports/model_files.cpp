#include "imports/model_files.h"

#include <utility>

#include "files/mapped_file.h"
#include "files/paths.h"

namespace ventris::imports {
namespace {

class FolderFiles : public ModelFiles {
 public:
  explicit FolderFiles(std::string folder) : folder_(std::move(folder)) {}

  bool contains(const std::string& name) const override { return files::exists(where(name)); }
  core::SharedBytes read(const std::string& name) const override { return files::MappedFile(where(name)).map(); }
  std::string where(const std::string& name) const override { return folder_ + "/" + name; }

 private:
  std::string folder_;
};

}  // namespace

std::unique_ptr<ModelFiles> files_of_folder(const std::string& folder) { return std::make_unique<FolderFiles>(folder); }

}  // namespace ventris::imports
