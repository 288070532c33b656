#include "preparation/finetuning.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <vector>

#include "core/error.h"
#include "core/human.h"
#include "core/json_reader.h"
#include "engine/unpacking.h"
#include "exports/torchscript_weights.h"
#include "files/files.h"
#include "files/json_file.h"
#include "files/paths.h"
#include "preparation/fewer_layers.h"
#include "preparation/starting_encoder.h"
#include "run/checkpoint.h"

namespace ventris::preparation {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

/// How the tokenizers of the bundle were learnt, as far as the bundle says.
json tokenizer_settings(const model::Package& base) {
  json settings = {{"shared", base.config.tokenizer.shared}};
  if (base.config.tokenizer.common_ids) settings["common_ids"] = true;
  if (!base.config.tokenizer.languages.empty()) settings["languages"] = model::to_json(base.config.tokenizer.languages);
  const json provenance = json::parse(base.config.provenance);
  const json::json_pointer learning("/settings/tokenizer");
  if (!provenance.is_object() || !provenance.contains(learning)) return settings;
  const json& recorded = provenance.at(learning);
  const json known = settings::RunConfig().to_json().at("tokenizer");
  for (const auto& [key, value] : known.items()) {
    const bool path = key == "source" || key == "target";
    if (!path && recorded.contains(key)) settings[key] = recorded.at(key);
  }
  return settings;
}

/// Settings that change neither the shape nor the tokenizer.
bool may_differ(const std::string& key) {
  static const std::set<std::string> kOther{"sampling_alpha", "sample",         "mask_rate",
                                            "whole_words",    "next_sentence",  "length_weight",
                                            "glancing_ratio", "glancing_final", "glancing_updates"};
  return key.find("dropout") != std::string::npos || kOther.contains(key);
}

/// Whether the folder has a run that will be resumed.
bool goes_on(const run::RunOptions& options) {
  const run::RunFolder run{options.folder};
  std::error_code error;
  return !options.overwrite && !options.folder.empty() && files::exists(run.config()) &&
         files::exists(run.checkpoints()) && !fs::is_empty(run.checkpoints(), error);
}

json sections_of_run(const run::RunFolder& run) {
  const json begun = files::read_json_file(run.config());
  json sections = json::object();
  for (const char* name : {"architecture", "model", "tokenizer"}) {
    if (begun.contains(name)) sections[name] = begun.at(name);
  }
  return sections;
}

/// The family that the settings name; empty = none, or one that RunConfig refuses.
std::string named_family(const json& given) {
  const json named = given.value("architecture", json());
  if (!named.is_string()) return "";
  const std::vector<std::string> known = architecture::family_names();
  const auto found = std::find(known.begin(), known.end(), named.get<std::string>());
  return found == known.end() ? "" : *found;
}

/// Throws ConfigError if the settings name another family, which needs only the encoder of the bundle.
void refuse_other_family(const json& given, const model::Package& base) {
  const architecture::Architecture& has = *base.config.architecture;
  const std::string wanted = named_family(given);
  if (wanted.empty() || wanted == has.family() || !architecture::defaults(wanted)->takes_encoder_of(has)) return;
  fail<ConfigError>("training.finetune_from: ", base.path, " is a '", has.family(), "', but a '", wanted,
                    "' is to be trained; start its encoder from this BERT with training.encoder_from (--encoder-from)");
}

json sections_of_bundle(const json& given, const std::string& path) {
  const model::Package base = model::read_package(path);
  refuse_other_family(given, base);
  return {{"architecture", base.config.architecture->family()},
          {"model", base.config.architecture->to_json()},
          {"tokenizer", tokenizer_settings(base)}};
}

/// The settings may name a tokenizer file only if it is the same as that of the bundle.
void check_tokenizer_file(const std::string& file, const std::string& bytes, const char* setting,
                          const std::string& bundle) {
  if (file.empty() || files::read_file(file) == bytes) return;
  fail<ConfigError>(setting, ": ", file, " is not the tokenizer of ", bundle,
                    ", which the run starts from (training.finetune_from); leave it out");
}

}  // namespace

json complete_settings(const json& given, const run::RunOptions& options) {
  const auto bundle_in = [&given](const char* setting) -> std::string {
    const json::json_pointer pointer(setting);
    return given.contains(pointer) && given.at(pointer).is_string() ? given.at(pointer) : json("");
  };
  const std::string base = bundle_in("/training/finetune_from"), encoder = bundle_in("/training/encoder_from");
  if (base.empty() == encoder.empty()) return given;  // none, or both, which RunConfig refuses
  json all = goes_on(options) ? sections_of_run(run::RunFolder{options.folder})
             : base.empty()   ? sections_for_encoder(given, encoder)
                              : sections_of_bundle(given, base);
  all.merge_patch(given);
  return all;
}

model::Bundle open_base(const std::string& path) {
  using model::PackageKind;
  using model::Safetensors;
  model::LoadedModel base = model::read_model(path);
  const auto opened = [&](const char* file) { return Safetensors::parse(std::move(base.weights), path + "/" + file); };
  model::Package& package = base.package;
  const auto weights = [&]() -> Safetensors {
    switch (package.kind) {
      case PackageKind::kBundle: return opened(model::kWeightsFile);
      case PackageKind::kTorchScript: return Safetensors::parse(exports::weights_of_torchscript(package), path);
      case PackageKind::kPacked:
        return Safetensors::parse(engine::unpack_weights(package.config, opened(model::kPackedFile)), path);
    }
    throw std::logic_error("open_base: unknown kind of model");
  };
  Safetensors found = weights();
  return {std::move(package), std::move(found)};
}

void check_base(const settings::RunConfig& config, const model::Package& base) {
  const json wanted = config.to_json();
  const auto check = [&](const std::string& section, const json& has) {
    for (const auto& [key, value] : has.items()) {
      const json& set = wanted.at(section).value(key, json());
      if (may_differ(key) || set == value) continue;
      const bool layers = section == "model" && can_be_fewer(config.model->family(), key);
      if (layers && set < value) continue;
      fail<ConfigError>(section, ".", key, ": ", set.dump(), " is set, but ", base.path,
                        ", which the run starts from (training.finetune_from), has ", value.dump(), "; leave it out",
                        layers ? ", or set fewer" : "",
                        key == "labels" ? ", or start only the encoder from it (training.encoder_from)" : "");
    }
  };
  if (const std::string family = base.config.architecture->family(); family != config.model->family()) {
    fail<ConfigError>("architecture: \"", config.model->family(), "\" is set, but ", base.path,
                      ", which the run starts from (training.finetune_from), has \"", family, "\"; leave it out");
  }
  check("model", base.config.architecture->to_json());
  check("tokenizer", tokenizer_settings(base));
  check_tokenizer_file(config.tokenizer.source, base.source_spm, "tokenizer.source", base.path);
  check_tokenizer_file(config.tokenizer.target, base.target_spm, "tokenizer.target", base.path);
}

std::vector<std::string> lost_with(const settings::RunConfig& config, const model::Package& base) {
  std::vector<std::string> warnings;
  const std::string start = base.path + ", which the run starts from (training.finetune_from), ";
  if (base.config.context.sentences > 0 && config.data.context.sentences == 0) {
    warnings.push_back(
        fmt::format("data.context: {}reads up to {} before each sentence, but the new model will not; "
                    "set data.context.sentences to keep that",
                    start, core::count_of(base.config.context.sentences, "sentence")));
  }
  if (base.config.guided_attention.layer > 0 && !config.training.guided_alignment.on()) {
    warnings.push_back("training.guided_alignment: " + start +
                       "has an attention head that learnt links, which the new model will not use; set " +
                       "training.guided_alignment to keep it");
  }
  return warnings;
}

}  // namespace ventris::preparation
