#include "imports/huggingface_folder.h"

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/json_reader.h"
#include "files/files.h"
#include "files/paths.h"
#include "imports/sharded_source.h"
#include "text/model_check.h"

namespace ventris::imports {

using nlohmann::json;

std::unique_ptr<TensorSource> huggingface_weights(const std::string& folder) {
  const std::string safetensors = folder + "/model.safetensors", pickle = folder + "/pytorch_model.bin";
  try {
    if (files::exists(safetensors)) return open_safetensors(safetensors);
    if (files::exists(pickle)) return open_state_dict(pickle);
    for (const char* index : {"model.safetensors.index.json", "pytorch_model.bin.index.json"}) {
      if (files::exists(folder + "/" + index)) return open_sharded(folder, index);
    }
  } catch (const DataError& error) {
    fail<ModelError>(error.what());
  }
  fail<ModelError>(folder, ": expected the weights as model.safetensors or pytorch_model.bin, found neither");
}

std::string huggingface_file(const std::string& folder, const std::string& name) {
  try {
    return files::read_plain_file(folder + "/" + name);
  } catch (const DataError& error) {
    fail<ModelError>(error.what());
  }
}

std::vector<std::string> read_tokens(const std::string& folder, const std::string& name, int64_t rows) {
  const std::string path = folder + "/" + name;
  json tokens;
  try {
    tokens = core::parse_json(huggingface_file(folder, name), path);
  } catch (const ConfigError& error) {
    fail<ModelError>(error.what());
  }
  if (!tokens.is_object()) fail<ModelError>(path, ": expected a JSON object with the row of each token");
  std::vector<std::string> texts(static_cast<size_t>(rows));
  std::vector<bool> known(texts.size(), false);
  for (const auto& [text, row] : tokens.items()) {
    if (!row.is_number_unsigned() || row.get<uint64_t>() >= texts.size() || known[row.get<size_t>()]) {
      fail<ModelError>(path, ": '", text, "': expected a row of its own from 0 to ", rows - 1, ", found ", row.dump());
    }
    texts[row.get<size_t>()] = text;
    known[row.get<size_t>()] = true;
  }
  return texts;
}

std::string read_spm(const std::string& folder, const std::string& name) {
  std::string bytes = huggingface_file(folder, name);
  text::check_model(bytes, folder + "/" + name);
  return bytes;
}

}  // namespace ventris::imports
