#pragma once
#include <string>

#include "imports/imported.h"

namespace ventris::imports {

/// A T5 of Hugging Face's transformers (T5 1.0, T5 1.1, mT5, MADLAD-400): a folder with config.json, the weights
/// (huggingface_folder.h) and spiece.model. Its tokens get our special ids; rows without a token become pieces that are
/// never written. Languages are those of tags such as "<2de>" (MADLAD-400), or of the texts that config.json puts
/// before sources ("translate English to German: ", T5 1.0). Throws ModelError for a file that is missing or damaged, a
/// setting that the model of ours does not have, and a tensor that is missing, unknown or of another shape.
Imported from_t5_folder(const std::string& path);

}  // namespace ventris::imports
