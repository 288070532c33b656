#include "model/package.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/folders.h"
#include "core/json_reader.h"
#include "core/paths.h"
#include "model/zip_archive.h"
#include "text/model_check.h"

namespace ventris::model {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

constexpr int64_t kMostElements = int64_t{1} << 40;  // of a tensor; so that sums over kMostTensors cannot overflow
constexpr size_t kMostTensors = 100'000;

ModelConfig parse_config(const std::string& text, const std::string& where) {
  try {
    return ModelConfig::parse(core::parse_json(text, where), where);
  } catch (const ConfigError& error) {
    fail<ModelError>(error.what());
  }
}

/// How many parameters a model of this shape has; a number that may be too large for integers.
double parameters_of(const TransformerConfig& config) {
  const auto d_model = static_cast<double>(config.d_model), d_ff = static_cast<double>(config.d_ff);
  const double attention = 4 * (d_model * d_model + d_model), norm = 2 * d_model;
  const double feed_forward = 2 * d_model * d_ff + d_ff + d_model;
  const double vocabularies = static_cast<double>(config.src_vocab) + 2 * static_cast<double>(config.tgt_vocab);
  const double positions = config.positions == Positions::kLearned ? 2 * static_cast<double>(config.max_positions) : 0;
  return static_cast<double>(config.encoder_layers) * (attention + feed_forward + 2 * norm) +
         static_cast<double>(config.decoder_layers) * (2 * attention + feed_forward + 3 * norm) +
         (vocabularies + positions) * d_model;
}

/// A small file must not make a large model. Tied embeddings are stored once and are there three times; a few more
/// parameters do no harm.
void check_parameter_count(const Package& package, const std::string& where) {
  constexpr double kTied = 3, kHarmless = 1 << 20;
  double stored = 0;
  for (const TensorSummary& tensor : package.tensors) {
    if (tensor.tied_to.empty()) stored += static_cast<double>(elements_of(tensor.shape));
  }
  const double expected = parameters_of(package.config.transformer);
  if (expected <= kTied * stored + kHarmless) return;
  fail<ModelError>(where, ": holds ", stored, " values, but the model in config.json has ", expected,
                   " parameters; expected the weights of that model");
}

/// The embeddings, the layers and the output layer must be those that the configuration speaks of: a model is built,
/// with memory for all of it, before its weights are looked at one by one.
void check_sizes(const Package& package, const std::string& where) {
  const TransformerConfig& config = package.config.transformer;
  std::map<std::string, std::vector<int64_t>> shapes;
  for (const TensorSummary& tensor : package.tensors) shapes.emplace(tensor.name, tensor.shape);
  const auto check = [&](const std::string& name, const std::vector<int64_t>& expected) {
    const auto found = shapes.find(name);
    if (found == shapes.end()) {
      fail<ModelError>(where, ": has no tensor '", name, "'; expected the weights of the model in config.json");
    }
    if (found->second != expected) {
      fail<ModelError>(where, ": tensor '", name, "': expected shape ", shape_text(expected), " by config.json, found ",
                       shape_text(found->second));
    }
  };
  const auto check_layers = [&](const std::string& side, int64_t layers) {
    for (int64_t i = 0; i < layers; ++i) {
      check(side + ".layers." + std::to_string(i) + ".feed_forward.w_1.weight", {config.d_ff, config.d_model});
    }
  };
  check("src_embed.0.lut.weight", {config.src_vocab, config.d_model});
  check("tgt_embed.0.lut.weight", {config.tgt_vocab, config.d_model});
  check("generator.proj.weight", {config.tgt_vocab, config.d_model});
  check("generator.proj.bias", {config.tgt_vocab});
  check_layers("encoder", config.encoder_layers);
  check_layers("decoder", config.decoder_layers);
  check_parameter_count(package, where);
}

TensorSummary parse_tensor(const json& item, const std::string& where) {
  TensorSummary tensor{item.at("name"), item.at("dtype"), item.at("shape"), item.value("tied_to", std::string())};
  dtype_of(tensor.dtype, where);
  const bool negative =
      std::any_of(tensor.shape.begin(), tensor.shape.end(), [](int64_t length) { return length < 0; });
  const int64_t count = elements_of(tensor.shape);
  if (!is_printable(tensor.name) || !is_printable(tensor.tied_to) || negative || count < 0 || count > kMostElements) {
    fail<ModelError>(where, ": damaged: expected a list of tensors with names and shapes");
  }
  return tensor;
}

std::vector<TensorSummary> parse_tensors(const std::string& text, const std::string& where) {
  try {
    std::vector<TensorSummary> tensors;
    const json list = core::parse_json(text, where);
    if (list.size() > kMostTensors) fail<ModelError>(where, ": damaged: expected at most ", kMostTensors, " tensors");
    for (const json& item : list) tensors.push_back(parse_tensor(item, where));
    return tensors;
  } catch (const json::exception& error) {
    fail<ModelError>(where, ": damaged: ", error.what());
  } catch (const ConfigError& error) {
    fail<ModelError>(error.what());
  }
}

/// Neither tokenizer is loaded here, but whoever does load it finds it checked, and so does whoever only copies it.
void check_tokenizers(const Package& package) {
  text::check_model(package.source_spm, package.path + ": source.spm");
  if (!package.config.tokenizer.shared) text::check_model(package.target_spm, package.path + ": target.spm");
}

/// The folder of a training holds bundles and is none.
void refuse_run_folder(const std::string& path) {
  const fs::path best = fs::path(path) / "best";
  if (core::exists(fs::path(path) / "MANIFEST") || !core::exists(best / "MANIFEST")) return;
  fail<ModelError>(path, ": expected a bundle, found the folder of a training; give the bundle in it: ", best.string());
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
  check_tokenizers(package);
  return package;
}

}  // namespace

std::string tensors_to_json(const std::vector<TensorSummary>& tensors) {
  json list = json::array();
  for (const TensorSummary& tensor : tensors) {
    json item = {{"name", tensor.name}, {"dtype", tensor.dtype}, {"shape", tensor.shape}};
    if (!tensor.tied_to.empty()) item["tied_to"] = tensor.tied_to;
    list.push_back(std::move(item));
  }
  return list.dump(1);
}

std::vector<TensorSummary> summarise(const Safetensors& file) {
  std::vector<TensorSummary> tensors;
  const auto add = [&](const std::string& name, const TensorView& stored, const std::string& tied_to) {
    tensors.push_back({name, name_of(stored.dtype), stored.shape, tied_to});
  };
  for (const TensorView& tensor : file.tensors()) add(tensor.name, tensor, "");
  for (const auto& [alias, name] : file.aliases()) add(alias, file.at(name), name);
  return tensors;
}

Bundle open_bundle(const std::string& path) {
  refuse_run_folder(path);
  std::map<std::string, std::string> files;
  for (auto& [name, bytes] : core::read_folder(path)) files[name] = std::move(bytes);
  const auto full = [&](const std::string& name) { return (fs::path(path) / name).string(); };
  const auto take = [&](const std::string& name) {
    const auto found = files.find(name);
    if (found == files.end()) fail<ModelError>(path, ": is no complete bundle: its MANIFEST names no ", name);
    return std::move(found->second);
  };
  Bundle bundle;
  Package& package = bundle.package;
  package.path = path;
  package.config = parse_config(take("config.json"), full("config.json"));
  package.source_spm = take("source.spm");
  package.target_spm = package.config.tokenizer.shared ? package.source_spm : take("target.spm");
  bundle.weights = Safetensors::parse(take("model.safetensors"), full("model.safetensors"));
  package.tensors = summarise(bundle.weights);
  check_sizes(package, full("model.safetensors"));
  check_tokenizers(package);
  return bundle;
}

Package open_package(const std::string& path) {
  std::error_code error;
  const auto type = fs::status(path, error).type();
  if (type == fs::file_type::not_found) {
    fail<ModelError>(path, ": does not exist; expected a bundle folder or a TorchScript file");
  }
  if (type == fs::file_type::directory) return open_bundle(path).package;
  if (type == fs::file_type::regular) return open_torchscript(path);
  fail<ModelError>(path, ": cannot be opened; expected a bundle folder or a TorchScript file",
                   error ? ": " + error.message() : "");
}

void write_bundle(const std::string& path, const Package& package, const std::string& weights) {
  std::vector<core::NamedBytes> files{{"config.json", package.config.to_json().dump(2) + "\n"},
                                      {"model.safetensors", weights},
                                      {"source.spm", package.source_spm}};
  if (!package.config.tokenizer.shared) files.emplace_back("target.spm", package.target_spm);
  core::write_folder(path, files);
}

}  // namespace ventris::model
