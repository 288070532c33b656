#pragma once
#include <string>

#include "imports/imported.h"

namespace ventris::imports {

/// An M2M-100, an NLLB or an mBART-50 of Hugging Face's transformers: a folder with config.json ("model_type":
/// "m2m_100" or "mbart"), the weights (huggingface_folder.h), sentencepiece.bpe.model, tokenizer_config.json and, of an
/// M2M-100, vocab.json. Its language tokens become languages of the bundle, and its positions a table. Throws
/// ModelError for a file that is missing or damaged, a setting that the model of ours does not have, and a tensor that
/// is missing, unknown or of another shape.
Imported from_multilingual_folder(const std::string& folder);

}  // namespace ventris::imports
