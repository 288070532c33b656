#include "model/reseal.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.h"
#include "files/folders.h"
#include "model/finite.h"
#include "model/package.h"

namespace ventris::model {
namespace {

using nlohmann::json;

/// The configuration of the bundle that the files make. Throws ModelError if they make none.
ModelConfig checked_config(const std::string& path, const std::vector<files::ListedFile>& listed) {
  std::vector<files::FolderFile> files;
  for (const files::ListedFile& file : listed) {
    if (file.name == "state.json") {
      fail<ModelError>(path, ": is a checkpoint of a run, which is not resealed; expected a bundle");
    }
    if (file.name == kPackedFile) {
      fail<ModelError>(path, ": is a packed model; edit the bundle from which it was made, and pack it again");
    }
    const bool weights = file.name == kWeightsFile;
    files.push_back(
        {file.name, weights ? "" : file.bytes, weights ? core::SharedBytes(file.bytes) : core::SharedBytes()});
  }
  Bundle bundle = bundle_of(path, std::move(files));
  check_finite(bundle.weights);
  return std::move(bundle.package.config);
}

/// The provenance with the names of the files.
std::string with_edits(const std::string& provenance, const std::vector<Edit>& edits) {
  json known = json::parse(provenance);
  if (!known.is_object()) known = json::object();
  json& names = known["resealed"];
  if (!names.is_array()) names = json::array();
  for (const Edit& edit : edits) {
    if (std::find(names.begin(), names.end(), edit.file) == names.end()) names.push_back(edit.file);
  }
  return known.dump();
}

}  // namespace

std::vector<Edit> reseal(const std::string& path) {
  std::vector<files::ListedFile> listed = files::read_changed_folder(path);
  std::vector<Edit> edits;
  for (const files::ListedFile& file : listed) {
    if (file.changed) edits.push_back({file.name, file.listed_size, file.bytes.size()});
  }
  ModelConfig config = checked_config(path, listed);
  if (edits.empty()) return edits;
  config.provenance = with_edits(config.provenance, edits);
  std::vector<files::NamedBytes> files;
  for (files::ListedFile& file : listed) {
    files.emplace_back(file.name, file.name == "config.json" ? config.to_json().dump(2) + "\n" : std::move(file.bytes));
  }
  files::write_folder(path, files);
  return edits;
}

}  // namespace ventris::model
