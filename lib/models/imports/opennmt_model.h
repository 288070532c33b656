#pragma once
#include <string>

#include "imports/imported.h"
#include "imports/token_lists.h"

namespace ventris::imports {

/// Whether a file is a checkpoint of OpenNMT-py (2 or 3).
bool is_opennmt(const std::string& path);

/// A Transformer of OpenNMT-py: a checkpoint (.pt), with the weights in it or in the .safetensors next to it. The
/// vocabularies are in the checkpoint. Throws ModelError with the setting or the tensor for what a model of ours cannot
/// be, and ConfigError if a tokenizer is missing.
Imported from_opennmt(const std::string& path, const std::vector<std::string>& tokenizers);

}  // namespace ventris::imports
