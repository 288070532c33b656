#pragma once
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "imports/config_file.h"
#include "imports/tensor_source.h"
#include "model/package.h"

namespace ventris::imports {

/// The weights in a folder of Hugging Face's transformers: model.safetensors, or else pytorch_model.bin, or the parts
/// that model.safetensors.index.json or pytorch_model.bin.index.json lists. Throws ModelError if there are none, or if
/// a part is missing or has not the tensors that the list says.
std::unique_ptr<TensorSource> huggingface_weights(const std::string& folder);

/// A file of the folder. Throws ModelError with what was expected if it cannot be read.
std::string huggingface_file(const std::string& folder, const std::string& name);

/// A file of the folder that has JSON. Throws ModelError if it cannot be read.
nlohmann::json huggingface_json(const std::string& folder, const std::string& name);

/// A SentencePiece model of the folder. Throws ModelError if it is missing or damaged.
std::string huggingface_spm(const std::string& folder, const std::string& name);

/// The number of tokens that config.json gives under this key. `missing`: what a folder without the key has; 0 = it
/// must be there. Throws ModelError for fewer than 4, or more than a tokenizer can have (text::kMostPieces).
int64_t huggingface_rows(const ConfigFile& config, const std::string& key, int64_t missing = 0);

/// The tokens of a file such as vocab.json, {"TEXT": ROW, ...}, by row; empty where there is none. `rows` is their
/// number in the model. Throws ModelError for a row that is not one of these, or that two tokens have.
std::vector<std::string> token_rows(const std::string& folder, const std::string& name, int64_t rows);

/// How the model is searched by default, from generation_config.json or, in older folders, config.json.
model::DecodingDefaults huggingface_decoding(const std::string& folder, const ConfigFile& config);

}  // namespace ventris::imports
