#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace ventris::model {

/// A file that was edited.
struct Edit {
  std::string file;
  size_t old_size = 0, new_size = 0;  ///< in bytes
};

/// Accepts the files of a bundle as they are now, after they were edited on purpose: its MANIFEST gets their checksums,
/// in one step with the files (files::write_folder). The provenance in config.json gets their names, in "resealed".
/// Returns what differs from MANIFEST; if nothing does, nothing is written. Throws ModelError, and changes nothing, if
/// the files are not those of a bundle: a tensor is missing, has another shape than config.json says, or has values
/// that are NaN or infinite, or a tokenizer is damaged. Throws WriteError.
std::vector<Edit> reseal(const std::string& path);

}  // namespace ventris::model
