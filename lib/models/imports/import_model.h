#pragma once
#include <string>
#include <vector>

#include "imports/imported.h"

namespace ventris::imports {

/// What `ventris-import` reads.
struct ImportOptions {
  std::string model;           ///< a folder or a file
  std::string tokenizer = {};  ///< a SentencePiece model; empty = in the folder
  std::string target_tokenizer = {};  ///< that of the target, if it has one of its own
  std::string from = {};              ///< one of import_formats(); empty = what the files look like
  std::vector<std::string> vocabularies = {};  ///< of Marian (.yml): one of both sides, or of source and target
  int64_t heads = 0;                  ///< of a state dict of PyTorch; 0 = usual
  std::string shortlist = {};  ///< of Bergamot (lex.s2t.bin); empty = none
};

/// The names of what can be read: "huggingface", ...
std::vector<std::string> import_formats();

/// Reads a model of another program, and finds out of which. Nothing in it is run. Throws ModelError for a model that
/// is damaged or of an unknown kind, with the file and the key or tensor; ConfigError for options that do not fit.
Imported import_model(const ImportOptions& options);

}  // namespace ventris::imports
