#pragma once
#include <memory>
#include <string>
#include <vector>

#include "imports/tensor_source.h"

namespace ventris::imports {

/// The weights in a folder of Hugging Face's transformers: model.safetensors, or else pytorch_model.bin, or the files
/// that one of these is divided into. Throws ModelError if there are none.
std::unique_ptr<TensorSource> huggingface_weights(const std::string& folder);

/// A file of the folder. Throws ModelError with what was expected if it cannot be read.
std::string huggingface_file(const std::string& folder, const std::string& name);

/// The tokens of a file such as vocab.json, {"TEXT": ROW, ...}, by row; those that are not there are empty. `rows` is
/// their number in the model. Throws ModelError for a row outside it, or one that two tokens have.
std::vector<std::string> read_tokens(const std::string& folder, const std::string& name, int64_t rows);

/// A SentencePiece model of the folder. Throws ModelError if it is damaged.
std::string read_spm(const std::string& folder, const std::string& name);

}  // namespace ventris::imports
