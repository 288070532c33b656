#include "imports/marian_folder.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "core/error.h"
#include "imports/marian_model.h"

namespace ventris::imports {
namespace {

namespace fs = std::filesystem;

/// Files of a folder with one of these endings, sorted.
std::vector<std::string> files_with(const std::string& folder, const std::vector<std::string>& endings) {
  std::vector<std::string> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (std::ranges::count(endings, entry.path().extension().string()) > 0) found.push_back(entry.path());
  }
  std::ranges::sort(found);
  return found;
}

std::vector<std::string> models_in(const std::string& folder) {
  std::vector<std::string> models = files_with(folder, {".npz", ".bin"});
  std::erase_if(models, [](const std::string& path) { return !is_marian_file(path); });
  return models;
}

bool begins(const std::string& path, const char* start) {
  return fs::path(path).filename().string().starts_with(start);
}

}  // namespace

bool is_marian_folder(const std::string& path) { return !models_in(path).empty(); }

MarianFolder find_marian_files(const std::string& path) {
  const std::vector<std::string> models = models_in(path);
  if (models.size() != 1) {
    fail<ModelError>(path, ": expected one model of Marian or Bergamot (.npz or .bin), found ", models.size(),
                     "; name one of them");
  }
  std::vector<std::string> tokenizers = files_with(path, {".spm"});
  const bool two = tokenizers.size() == 2 && ((begins(tokenizers[0], "source") && begins(tokenizers[1], "target")) ||
                                              (begins(tokenizers[0], "src") && begins(tokenizers[1], "trg")));
  if (tokenizers.size() != 1 && !two) tokenizers.clear();
  return {models.front(), tokenizers};
}

}  // namespace ventris::imports
