#include "model/package.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/files.h"
#include "core/json_reader.h"
#include "model/safetensors.h"
#include "model/zip_archive.h"

namespace ventris::model {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

ModelConfig parse_config(const std::string& text, const std::string& where) {
  try {
    return ModelConfig::parse(core::parse_json(text, where), where);
  } catch (const ConfigError& error) {
    fail<ModelError>(error.what());
  }
}

/// The embedding rows and the output layer must be those that the configuration speaks of.
void check_sizes(const Package& package, const std::string& where) {
  const auto& shape = package.config.transformer;
  const auto check = [&](const std::string& name, const std::vector<int64_t>& expected) {
    const auto found = std::find_if(package.tensors.begin(), package.tensors.end(), [&](const auto& t) { return t.name == name; });
    if (found == package.tensors.end()) return;  // tied to another one
    if (found->shape != expected) {
      fail<ModelError>(where, ": ", name, ": its shape does not fit config.json (expected ", expected[0], " rows, found ",
                       found->shape.empty() ? 0 : found->shape[0], ")");
    }
  };
  check("src_embed.0.lut.weight", {shape.src_vocab, shape.d_model});
  check("tgt_embed.0.lut.weight", {shape.tgt_vocab, shape.d_model});
  check("generator.proj.weight", {shape.tgt_vocab, shape.d_model});
}

Package open_bundle(const std::string& path) {
  const auto names = core::verify_folder(path);
  const auto full = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      fail<ModelError>(path, ": is no bundle: its MANIFEST names no ", name);
    }
    return path + "/" + name;
  };
  Package package;
  package.path = path;
  package.config = parse_config(core::read_file(full("config.json")), full("config.json"));
  package.source_spm = core::read_file(full("source.spm"));
  package.target_spm = package.config.tokenizer.shared ? package.source_spm : core::read_file(full("target.spm"));
  const auto weights = Safetensors::from_file(full("model.safetensors"));
  for (const TensorView& tensor : weights.tensors()) {
    package.tensors.push_back({tensor.name, name_of(tensor.dtype), tensor.shape});
  }
  check_sizes(package, full("model.safetensors"));
  return package;
}

std::vector<TensorSummary> parse_tensors(const std::string& text, const std::string& where) {
  try {
    std::vector<TensorSummary> tensors;
    for (const json& item : json::parse(text)) tensors.push_back({item.at("name"), item.at("dtype"), item.at("shape")});
    return tensors;
  } catch (const json::exception& error) {
    fail<ModelError>(where, ": damaged: ", error.what());
  }
}

Package open_torchscript(const std::string& path) {
  const auto archive = ZipArchive::open(path);
  const auto extra = [&](const char* name) -> const std::string& {
    const auto found = archive.extra.find(name);
    if (found == archive.extra.end()) {
      fail<ModelError>(path, ": holds no ", name, "; expected a TorchScript file written by ventris-export");
    }
    return found->second;
  };
  Package package;
  package.kind = PackageKind::kTorchScript;
  package.path = path;
  package.config = parse_config(extra(kExtraConfig), path + " (" + kExtraConfig + ")");
  package.source_spm = extra(kExtraSourceSpm);
  package.target_spm = package.config.tokenizer.shared ? package.source_spm : extra(kExtraTargetSpm);
  package.tensors = parse_tensors(extra(kExtraTensors), path + " (" + kExtraTensors + ")");
  return package;
}

}  // namespace

std::string tensors_to_json(const std::vector<TensorSummary>& tensors) {
  json list = json::array();
  for (const auto& [name, dtype, shape] : tensors) list.push_back({{"name", name}, {"dtype", dtype}, {"shape", shape}});
  return list.dump(1);
}

Package open_package(const std::string& path) {
  if (!fs::exists(path)) fail<ModelError>(path, ": does not exist; expected a bundle folder or a TorchScript file");
  try {
    return fs::is_directory(path) ? open_bundle(path) : open_torchscript(path);
  } catch (const DataError& error) {
    fail<ModelError>(error.what());  // a file of a model that cannot be read
  }
}

void write_bundle(const std::string& path, const Package& package, const std::string& weights) {
  std::vector<core::NamedBytes> files{{"config.json", package.config.to_json().dump(2) + "\n"},
                                      {"model.safetensors", weights},
                                      {"source.spm", package.source_spm}};
  if (!package.config.tokenizer.shared) files.emplace_back("target.spm", package.target_spm);
  core::write_folder(path, files);
}

}  // namespace ventris::model
