#pragma once
#include <string>

#include "imports/imported.h"

namespace ventris::imports {

/// An M2M-100, an NLLB or an mBART-50 of Hugging Face's transformers: a folder with config.json, the weights
/// (huggingface_folder.h), sentencepiece.bpe.model, for M2M-100 vocab.json, and for the others the files that list the
/// tokens of languages (tokenizer.json, tokenizer_config.json, added_tokens.json or special_tokens_map.json).
/// Its positions become a table, its tokens get our special ids, and its languages those of the bundle. Throws
/// ModelError for a file that is missing or damaged, a setting that the model of ours does not have, and a tensor that
/// is missing, unknown or of another shape.
Imported from_multilingual_folder(const std::string& path);

}  // namespace ventris::imports
