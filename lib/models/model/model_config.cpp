#include "model/model_config.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "architecture/reading.h"
#include "core/error.h"
#include "core/json_reader.h"

namespace ventris::model {
namespace {

using architecture::read_size;
using core::JsonReader;
using nlohmann::json;

/// The same limits as in decoding::check(), which may not be included here. A test compares them.
constexpr int64_t kLargestBeam = 256;
constexpr int64_t kMostIterations = 100;
constexpr double kLargestAlpha = 10;

void check_id(JsonReader& reader, const std::string& key, int32_t expected) {
  int32_t found = expected;
  reader.optional(key, found);
  if (found != expected) {
    fail<ConfigError>(reader.path_of(key), ": expected ", expected, " as in every tokenizer of ventris-vocab, found ",
                      found);
  }
}

TokenizerPolicy read_tokenizer(JsonReader reader) {
  TokenizerPolicy policy;
  check_id(reader, "pad", policy.ids.pad);
  check_id(reader, "unk", policy.ids.unk);
  check_id(reader, "bos", policy.ids.bos);
  check_id(reader, "eos", policy.ids.eos);
  reader.optional("shared", policy.shared);
  reader.optional("common_ids", policy.common_ids);
  reader.optional("source_eos", policy.source_eos);
  policy.languages = read_languages(reader.section("languages"));
  reader.finish();
  return policy;
}

DecodingDefaults read_decoding(JsonReader reader) {
  DecodingDefaults decoding;
  read_size(reader, "beam_size", decoding.beam_size, 1, kLargestBeam);
  reader.optional("length_alpha", decoding.length_alpha);
  reader.optional("max_length_factor", decoding.max_length_factor);
  read_size(reader, "iterations", decoding.iterations, 1, kMostIterations);
  read_size(reader, "length_candidates", decoding.length_candidates, 1, kLargestBeam);
  if (!(decoding.length_alpha >= 0 && decoding.length_alpha <= kLargestAlpha)) {
    fail<ConfigError>(reader.path_of("length_alpha"), ": must be from 0 to ", kLargestAlpha, ", got ",
                      decoding.length_alpha);
  }
  if (!(decoding.max_length_factor >= 0) || std::isinf(decoding.max_length_factor)) {
    fail<ConfigError>(reader.path_of("max_length_factor"), ": must be at least 0, got ", decoding.max_length_factor);
  }
  reader.finish();
  return decoding;
}

GuidedAttention read_guided_attention(JsonReader reader, const architecture::Architecture& architecture) {
  GuidedAttention guided;
  if (reader.has("layer")) {
    const architecture::SourceAttention size = architecture.guidable_attention();
    read_size(reader, "layer", guided.layer, 1, size.layers);
    read_size(reader, "head", guided.head, 1, size.heads);
  }
  reader.optional("reading", guided.reading);
  reader.finish();
  return guided;
}

ContextPolicy read_context(JsonReader reader) {
  ContextPolicy context;
  if (reader.has("sentences")) {
    read_size(reader, "sentences", context.sentences, 1, kMostContext);
    reader.required("separator", context.separator);
  }
  reader.optional("both", context.both);
  reader.finish();
  return context;
}

json context_json(const ContextPolicy& context) {
  json out{{"sentences", context.sentences}, {"separator", context.separator}};
  if (context.both) out["both"] = true;
  return out;
}

json guided_attention_json(const GuidedAttention& guided) {
  json out{{"layer", guided.layer}, {"head", guided.head}};
  if (guided.reading) out["reading"] = true;
  return out;
}

/// What only some families have is left out where it has no effect, so that earlier versions can read the file.
json decoding_json(const DecodingDefaults& decoding) {
  json out{{"beam_size", decoding.beam_size},
           {"length_alpha", decoding.length_alpha},
           {"max_length_factor", decoding.max_length_factor}};
  if (decoding.iterations > 1) out["iterations"] = decoding.iterations;
  if (decoding.length_candidates > 1) out["length_candidates"] = decoding.length_candidates;
  return out;
}

/// As decoding_json().
json tokenizer_json(const TokenizerPolicy& policy) {
  json out{{"pad", policy.ids.pad}, {"unk", policy.ids.unk},   {"bos", policy.ids.bos},
           {"eos", policy.ids.eos}, {"shared", policy.shared}, {"source_eos", policy.source_eos}};
  if (policy.common_ids) out["common_ids"] = true;
  if (!policy.languages.empty()) out["languages"] = model::to_json(policy.languages);
  return out;
}

void read_version(JsonReader& reader) {
  int64_t version = 0;
  reader.required("format_version", version);
  if (version > ModelConfig::kFormatVersion) {
    fail<ConfigError>("format_version: expected at most ", ModelConfig::kFormatVersion, ", got ", version,
                      "; the model was made by a newer version of Ventris");
  }
  if (version < 1) fail<ConfigError>("format_version: expected at least 1, got ", version);
}

/// Checks conditions that involve several sections.
void check_together(const ModelConfig& config) {
  const int64_t src_vocab = config.architecture->src_vocab(), tgt_vocab = config.architecture->tgt_vocab();
  if (config.tokenizer.shared && src_vocab != tgt_vocab) {
    fail<ConfigError>("model.tgt_vocab: expected ", src_vocab,
                      " as in src_vocab, because the tokenizer is shared, got ", tgt_vocab);
  }
  if (config.tokenizer.common_ids && src_vocab != tgt_vocab) {
    fail<ConfigError>("model.tgt_vocab: expected ", src_vocab,
                      " as in src_vocab, because the tokenizers have common ids, got ", tgt_vocab);
  }
  config.architecture->check_tokenizers(config.tokenizer.shared || config.tokenizer.common_ids);
}

architecture::ArchitecturePtr read_architecture(JsonReader& reader) {
  std::string family;
  reader.required("architecture", family);
  JsonReader settings = reader.section("model");
  const auto found = architecture::parse(family, "architecture", settings);
  int64_t src_vocab = 0, tgt_vocab = 0;
  settings.required("src_vocab", src_vocab);
  settings.required("tgt_vocab", tgt_vocab);
  read_size(settings, "src_vocab", src_vocab, 5);
  read_size(settings, "tgt_vocab", tgt_vocab, 5);
  settings.finish();
  return found->with_vocabularies(src_vocab, tgt_vocab);
}

ModelConfig read_config(const json& source) {
  JsonReader reader(source, "");
  ModelConfig config;
  read_version(reader);
  config.architecture = read_architecture(reader);
  config.tokenizer = read_tokenizer(reader.section("tokenizer"));
  config.decoding = read_decoding(reader.section("decoding"));
  config.guided_attention = read_guided_attention(reader.section("guided_attention"), *config.architecture);
  config.context = read_context(reader.section("context"));
  check_together(config);
  reader.section("provenance");
  if (source.contains("provenance")) config.provenance = source.at("provenance").dump();
  reader.finish();
  return config;
}

}  // namespace

ModelConfig ModelConfig::parse(const json& source, const std::string& where) {
  try {
    return read_config(source);
  } catch (const ConfigError& error) {
    fail<ModelError>(where, ": ", error.what());
  }
}

json ModelConfig::to_json() const {
  json settings = architecture->to_json();
  settings["src_vocab"] = architecture->src_vocab();
  settings["tgt_vocab"] = architecture->tgt_vocab();
  json out{{"format_version", kFormatVersion},
           {"architecture", architecture->family()},
           {"model", settings},
           {"tokenizer", tokenizer_json(tokenizer)},
           {"decoding", decoding_json(decoding)},
           {"provenance", json::parse(provenance)}};
  if (guided_attention.layer > 0) out["guided_attention"] = guided_attention_json(guided_attention);
  if (context.sentences > 0) out["context"] = context_json(context);
  return out;
}

}  // namespace ventris::model
