#include "imports/huggingface_folder.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/error.h"
#include "core/json_reader.h"
#include "files/files.h"
#include "files/paths.h"
#include "text/model_check.h"
#include "text/model_proto.h"

namespace ventris::imports {
namespace {

std::unique_ptr<TensorSource> open_weights(const std::string& path) {
  try {
    return path.ends_with(".safetensors") ? open_safetensors(path) : open_state_dict(path);
  } catch (const DataError& error) {
    fail<ModelError>(error.what());
  }
}

/// Weights in several files, with a list of the file of each tensor.
class ShardedSource : public TensorSource {
 public:
  ShardedSource(const std::string& folder, const std::string& name) : where_(folder + "/" + name) {
    const nlohmann::json index = huggingface_json(folder, name);
    if (!index.is_object() || !index.contains("weight_map") || !index.at("weight_map").is_object()) {
      fail<ModelError>(where_, ": expected an object with \"weight_map\", the file of each tensor");
    }
    for (const auto& [tensor, file] : index.at("weight_map").items()) add(folder, tensor, file);
  }

  const std::string& where() const override { return where_; }
  std::vector<std::string> names() const override {
    std::vector<std::string> names;
    for (const auto& [name, part] : parts_of_) names.push_back(name);
    return names;
  }
  bool contains(const std::string& name) const override { return parts_of_.contains(name); }
  std::vector<int64_t> shape(const std::string& name) const override { return part_of(name).shape(name); }
  std::vector<float> floats(const std::string& name) const override { return part_of(name).floats(name); }

 private:
  void add(const std::string& folder, const std::string& tensor, const nlohmann::json& file) {
    const std::string name = file.is_string() ? file.get<std::string>() : "";
    const bool plain = name.find('/') == std::string::npos && name.find('\0') == std::string::npos;
    if (!plain || !(name.ends_with(".safetensors") || name.ends_with(".bin"))) {
      fail<ModelError>(where_, ": weight_map: tensor '", tensor, "': expected the name of a .safetensors or .bin file ",
                       "of the same folder");
    }
    std::unique_ptr<TensorSource>& part = parts_[name];
    if (part == nullptr) {
      const std::string path = folder + "/" + name;
      if (!files::exists(path)) fail<ModelError>(path, ": does not exist, but ", where_, " lists it");
      part = open_weights(path);
    }
    if (!part->contains(tensor))
      fail<ModelError>(part->where(), ": has no tensor '", tensor, "', but ", where_, " says so");
    parts_of_[tensor] = part.get();
  }
  const TensorSource& part_of(const std::string& name) const {
    const auto found = parts_of_.find(name);
    if (found == parts_of_.end()) fail<ModelError>(where_, ": has no tensor '", name, "'");
    return *found->second;
  }

  std::string where_;
  std::map<std::string, std::unique_ptr<TensorSource>> parts_;
  std::map<std::string, const TensorSource*> parts_of_;
};

}  // namespace

std::unique_ptr<TensorSource> huggingface_weights(const std::string& folder) {
  for (const char* name : {"/model.safetensors", "/pytorch_model.bin"}) {
    if (files::exists(folder + name)) return open_weights(folder + name);
  }
  for (const char* index : {"model.safetensors.index.json", "pytorch_model.bin.index.json"}) {
    if (files::exists(folder + "/" + index)) return std::make_unique<ShardedSource>(folder, index);
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

nlohmann::json huggingface_json(const std::string& folder, const std::string& name) {
  try {
    return core::parse_json(huggingface_file(folder, name), folder + "/" + name);
  } catch (const ConfigError& error) {
    fail<ModelError>(error.what());
  }
}

std::string huggingface_spm(const std::string& folder, const std::string& name) {
  std::string bytes = huggingface_file(folder, name);
  text::check_model(bytes, folder + "/" + name);
  return bytes;
}

int64_t huggingface_rows(const ConfigFile& config, const std::string& key, int64_t missing) {
  constexpr int64_t kFewest = 4;
  constexpr auto kMost = static_cast<int64_t>(text::kMostPieces);
  return missing > 0 ? config.integer(key, missing, kFewest, kMost) : config.required(key, kFewest, kMost);
}

std::vector<std::string> token_rows(const std::string& folder, const std::string& name, int64_t rows) {
  const std::string path = folder + "/" + name;
  const nlohmann::json tokens = huggingface_json(folder, name);
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

model::DecodingDefaults huggingface_decoding(const std::string& folder, const ConfigFile& config) {
  constexpr int64_t kLargestBeam = 256;
  model::DecodingDefaults decoding;
  const std::string path = folder + "/generation_config.json";
  const ConfigFile* from = &config;
  std::optional<ConfigFile> generation;
  if (files::exists(path)) from = &generation.emplace(path);
  decoding.beam_size = std::min(from->integer("num_beams", config.integer("num_beams", 4, 1), 1), kLargestBeam);
  decoding.length_alpha = std::clamp(from->number("length_penalty", 1.0), 0.0, 10.0);
  return decoding;
}

}  // namespace ventris::imports
