#pragma once
#include <string>
#include <vector>

namespace ventris::imports {

/// The files of a folder with a model of Marian or Bergamot.
struct MarianFolder {
  std::string model;                     ///< .npz or .bin
  std::vector<std::string> tokenizers;   ///< one .spm, or that of the source and that of the target; empty = none
};

/// Whether the folder has such a model. Throws nothing.
bool is_marian_folder(const std::string& path);

/// Throws ModelError unless there is exactly one model. Two .spm files are taken if their names begin with "source" and
/// "target" or with "src" and "trg"; otherwise, several are none.
MarianFolder find_marian_files(const std::string& path);

}  // namespace ventris::imports
