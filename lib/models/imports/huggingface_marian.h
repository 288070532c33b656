#pragma once
#include <string>

#include "imports/imported.h"

namespace ventris::imports {

/// A MarianMT of Hugging Face's transformers, such as the models of OPUS-MT: a folder with config.json, the weights
/// (huggingface_folder.h), source.spm, target.spm, vocab.json and, if the sides have vocabularies of their own,
/// target_vocab.json. Its features are put in the order of our sinusoids, and its tokens get our special ids;
/// everything else is the same model. Throws ModelError for a file that is missing or damaged, a setting that the model
/// of ours does not have, and a tensor that is missing, unknown or of another shape.
Imported from_marian_folder(const std::string& folder);

}  // namespace ventris::imports
