#pragma once
#include <string>
#include <vector>

#include "imports/imported.h"
#include "imports/model_files.h"

namespace ventris::imports {

/// Whether a folder has a model of CTranslate2.
bool is_ctranslate2_folder(const std::string& path);

/// A SentencePiece model, and what it is called in messages.
struct GivenTokenizer {
  std::string bytes, where;
};

/// Makes a bundle of a model of CTranslate2. `files` has model.bin, the vocabularies and, in newer models, config.json;
/// `folder` ("" or "model/") is where they are in it, and `path` the place that the bundle says it is from.
///
/// `tokenizers`: one SentencePiece model for both sides, or one for each. If there are none, those that our export adds
/// (source.spm, target.spm); if these are not there either, and the vocabularies are no pieces of SentencePiece, a text
/// is tokens separated by spaces. Throws ModelError, and ConfigError if a tokenizer must be given.
Imported from_ctranslate2(const ModelFiles& files, const std::string& folder, const std::string& path,
                          std::vector<GivenTokenizer> tokenizers);

/// The same for a folder and files of tokenizers.
Imported from_ctranslate2_folder(const std::string& folder, const std::vector<std::string>& tokenizers);

}  // namespace ventris::imports
