#pragma once
#include <string>
#include <vector>

#include "imports/imported.h"

namespace ventris::imports {

/// Whether a path is a folder of Eole: it has model.00.safetensors.
bool is_eole(const std::string& path);

/// A Transformer of Eole: a folder with config.json, vocab.json and model.00.safetensors. `tokenizers`: SentencePiece
/// models; empty = those that the settings of its transforms name, if they are in the folder. Throws ModelError with
/// the setting or the tensor for what a model of ours cannot be, and ConfigError if a tokenizer is missing.
Imported from_eole(const std::string& folder, const std::vector<std::string>& tokenizers);

}  // namespace ventris::imports
