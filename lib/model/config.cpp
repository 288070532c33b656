#include "model/config.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/error.h"

namespace ventris::model {
namespace {

using core::Choices;
using core::JsonReader;
using core::name_of;
using nlohmann::json;

const Choices<NormPlace> kNorms{{"pre", NormPlace::kPre}, {"post", NormPlace::kPost}};
const Choices<Activation> kActivations{{"relu", Activation::kRelu}, {"gelu", Activation::kGelu}};
const Choices<Positions> kPositions{{"sinusoidal", Positions::kSinusoidal}, {"learned", Positions::kLearned}};
const Choices<Tying> kTyings{{"none", Tying::kNone}, {"decoder", Tying::kDecoder}, {"all", Tying::kAll}};

/// Far over any real model, far under what overflows when multiplied.
constexpr int64_t kLargestSize = 1 << 24;
constexpr int64_t kMostPositions = 1 << 16;  // a model has a row for each, which no stored tensor bears out

/// As decoding::check() has them (a test compares); the one may not include the other.
constexpr int64_t kLargestBeam = 256;
constexpr double kLargestAlpha = 10;

void read_size(JsonReader& reader, const std::string& key, int64_t& value, int64_t least = 1,
               int64_t most = kLargestSize) {
  reader.optional(key, value);
  if (value < least || value > most) {
    fail<ConfigError>(reader.path_of(key), ": must be from ", least, " to ", most, ", got ", value);
  }
}

void read_dropout(JsonReader& reader, const std::string& key, double& value) {
  reader.optional(key, value);
  if (!(value >= 0 && value < 1)) {
    fail<ConfigError>(reader.path_of(key), ": must be at least 0 and under 1, got ", value);
  }
}

/// The places whose dropout may differ from the rest's.
template <typename Config>
auto dropout_places(Config& config) {
  return std::vector{std::pair{"attention_dropout", &config.attention_dropout},
                     std::pair{"activation_dropout", &config.activation_dropout},
                     std::pair{"embedding_dropout", &config.embedding_dropout}};
}

void read_shape(JsonReader& reader, TransformerConfig& config) {
  read_size(reader, "d_model", config.d_model);
  read_size(reader, "d_ff", config.d_ff);
  read_size(reader, "heads", config.heads);
  read_size(reader, "encoder_layers", config.encoder_layers);
  read_size(reader, "decoder_layers", config.decoder_layers);
  read_size(reader, "max_positions", config.max_positions, 8, kMostPositions);
  read_dropout(reader, "dropout", config.dropout);
  for (const auto& [key, place] : dropout_places(config)) {
    if (!reader.has(key)) continue;
    double value = 0;
    read_dropout(reader, key, value);
    *place = value;
  }
  reader.choice("norm", config.norm, kNorms);
  reader.choice("activation", config.activation, kActivations);
  reader.choice("positions", config.positions, kPositions);
  reader.choice("tying", config.tying, kTyings);
  if (config.d_model % config.heads != 0) {
    fail<ConfigError>(reader.path_of("d_model"), ": must be a multiple of heads (", config.heads, "), got ",
                      config.d_model);
  }
}

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
  reader.optional("source_eos", policy.source_eos);
  reader.finish();
  return policy;
}

DecodingDefaults read_decoding(JsonReader reader) {
  DecodingDefaults decoding;
  read_size(reader, "beam_size", decoding.beam_size, 1, kLargestBeam);
  reader.optional("length_alpha", decoding.length_alpha);
  reader.optional("max_length_factor", decoding.max_length_factor);
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

void read_version(JsonReader& reader) {
  int64_t version = 0;
  reader.required("format_version", version);
  if (version > ModelConfig::kFormatVersion) {
    fail<ConfigError>("format_version: expected at most ", ModelConfig::kFormatVersion, ", got ", version,
                      "; the model was made by a newer version of Ventris");
  }
  if (version < 1) fail<ConfigError>("format_version: expected at least 1, got ", version);
}

/// What is right in each section and yet does not fit together.
void check_together(const ModelConfig& config) {
  const TransformerConfig& shape = config.transformer;
  const bool same_size = shape.src_vocab == shape.tgt_vocab;
  if (config.tokenizer.shared && !same_size) {
    fail<ConfigError>("model.tgt_vocab: expected ", shape.src_vocab,
                      " as in src_vocab, since the tokenizer is shared, got ", shape.tgt_vocab);
  }
  if (shape.tying == Tying::kAll && !config.tokenizer.shared) {
    fail<ConfigError>("model.tying: 'all' needs one shared tokenizer (tokenizer.shared), found one for each side");
  }
}

ModelConfig read_config(const json& source) {
  JsonReader reader(source, "");
  ModelConfig config;
  read_version(reader);
  reader.required("architecture", config.architecture);
  if (config.architecture != "transformer") {
    fail<ConfigError>("architecture: expected 'transformer', got '", config.architecture, "'");
  }
  JsonReader shape = reader.section("model");
  read_shape(shape, config.transformer);
  shape.required("src_vocab", config.transformer.src_vocab);
  shape.required("tgt_vocab", config.transformer.tgt_vocab);
  read_size(shape, "src_vocab", config.transformer.src_vocab, 5);
  read_size(shape, "tgt_vocab", config.transformer.tgt_vocab, 5);
  shape.finish();
  config.tokenizer = read_tokenizer(reader.section("tokenizer"));
  config.decoding = read_decoding(reader.section("decoding"));
  check_together(config);
  reader.section("provenance");
  if (source.contains("provenance")) config.provenance = source.at("provenance").dump();
  reader.finish();
  return config;
}

}  // namespace

TransformerConfig TransformerConfig::parse(JsonReader reader) {
  TransformerConfig config;
  read_shape(reader, config);
  reader.finish();
  return config;
}

json TransformerConfig::to_json() const {
  json out{{"d_model", d_model},
           {"d_ff", d_ff},
           {"heads", heads},
           {"encoder_layers", encoder_layers},
           {"decoder_layers", decoder_layers},
           {"max_positions", max_positions},
           {"dropout", dropout},
           {"norm", name_of(norm, kNorms)},
           {"activation", name_of(activation, kActivations)},
           {"positions", name_of(positions, kPositions)},
           {"tying", name_of(tying, kTyings)}};
  for (const auto& [key, place] : dropout_places(*this)) {
    if (place->has_value()) out[key] = **place;
  }
  return out;
}

ModelConfig ModelConfig::parse(const json& json, const std::string& where) {
  try {
    return read_config(json);
  } catch (const ConfigError& error) {
    fail<ModelError>(where, ": ", error.what());
  }
}

json ModelConfig::to_json() const {
  json shape = transformer.to_json();
  shape["src_vocab"] = transformer.src_vocab;
  shape["tgt_vocab"] = transformer.tgt_vocab;
  return {{"format_version", kFormatVersion},
          {"architecture", architecture},
          {"model", shape},
          {"tokenizer",
           {{"pad", tokenizer.ids.pad},
            {"unk", tokenizer.ids.unk},
            {"bos", tokenizer.ids.bos},
            {"eos", tokenizer.ids.eos},
            {"shared", tokenizer.shared},
            {"source_eos", tokenizer.source_eos}}},
          {"decoding",
           {{"beam_size", decoding.beam_size},
            {"length_alpha", decoding.length_alpha},
            {"max_length_factor", decoding.max_length_factor}}},
          {"provenance", json::parse(provenance)}};
}

}  // namespace ventris::model
