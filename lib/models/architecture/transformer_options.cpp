#include "architecture/transformer_options.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "architecture/bert_options.h"
#include "architecture/relative_buckets.h"
#include "architecture/transformer_fields.h"
#include "core/error.h"

namespace ventris::architecture {
namespace {

using core::JsonReader;
using nlohmann::json;

/// Refuses a size that `kind` needs and does not have, or that is given without `kind`.
void check_size_of(const JsonReader& reader, const TransformerOptions& options, const std::string& key, int64_t size,
                   SelfAttention kind, int64_t least) {
  const std::string name = core::name_of(kind, self_attentions());
  if (options.self_attention != kind) {
    if (size == 0) return;
    fail<ConfigError>(reader.path_of(key), ": has an effect only with self_attention '", name, "', found '",
                      core::name_of(options.self_attention, self_attentions()),
                      "'; leave it out, or set self_attention");
  }
  if (size >= least && size <= options.max_positions) return;
  fail<ConfigError>(reader.path_of(key), ": with self_attention '", name, "', expected from ", least,
                    " to max_positions (", options.max_positions, "), got ", size, "; give such a value");
}

/// Positions are relative with self_attention 'segment', and only then.
void check_positions(const JsonReader& reader, const TransformerOptions& options) {
  const std::string found = core::name_of(options.self_attention, self_attentions());
  const bool relative = options.positions == Positions::kRelative;
  const bool segment = options.self_attention == SelfAttention::kSegment;
  if (relative && !segment) {
    fail<ConfigError>(reader.path_of("positions"), ": 'relative' works only with self_attention 'segment', found '",
                      found, "'; use 'sinusoidal' or 'learned', or self_attention 'segment'");
  }
  if (segment && !relative) {
    fail<ConfigError>(reader.path_of("positions"), ": with self_attention 'segment', expected 'relative', got '",
                      core::name_of(options.positions, positions()), "'; set it to 'relative'");
  }
}

void check_long_inputs(const JsonReader& reader, const TransformerOptions& options) {
  check_size_of(reader, options, "window", options.window, SelfAttention::kWindow, 1);
  check_size_of(reader, options, "global_positions", options.global_positions, SelfAttention::kWindow, 0);
  check_size_of(reader, options, "low_rank_size", options.low_rank_size, SelfAttention::kLowRank, 1);
  check_size_of(reader, options, "segment", options.segment, SelfAttention::kSegment, 1);
  check_size_of(reader, options, "segment_memory", options.segment_memory, SelfAttention::kSegment, 0);
  check_positions(reader, options);
  const bool own_score =
      options.self_attention == SelfAttention::kLinear || options.self_attention == SelfAttention::kSegment;
  if (own_score && options.attention_score != AttentionScore::kScaledDot) {
    fail<ConfigError>(reader.path_of("attention_score"), ": '", name_of(options.attention_score),
                      "' does not work with self_attention '", core::name_of(options.self_attention, self_attentions()),
                      "', which has a score of its own; leave "
                      "attention_score out, or use self_attention 'full', 'window' or 'low_rank'");
  }
}

/// Some positions are a matter of the scores of self-attention, and only of its plain kind.
void check_plain_attention(const JsonReader& reader, const TransformerOptions& options) {
  const std::string found = core::name_of(options.positions, positions());
  if (options.self_attention != SelfAttention::kFull) {
    fail<ConfigError>(reader.path_of("positions"), ": '", found, "' works only with self_attention 'full', found '",
                      core::name_of(options.self_attention, self_attentions()), "'; use 'sinusoidal' or 'learned'");
  }
  if (options.attention_score != AttentionScore::kScaledDot) {
    fail<ConfigError>(reader.path_of("positions"), ": '", found,
                      "' works only with attention_score 'scaled_dot', found '", name_of(options.attention_score),
                      "'; use 'sinusoidal' or 'learned'");
  }
}

/// The buckets of distances have an effect only with them, and each direction has near and far ones.
void check_buckets(const JsonReader& reader, const TransformerOptions& options) {
  for (const auto& [key, given] : {std::pair{"relative_buckets", options.relative_buckets},
                                   std::pair{"relative_max_distance", options.relative_max_distance}}) {
    if (given == 0 || options.has_relative_bias()) continue;
    fail<ConfigError>(reader.path_of(key), ": has an effect only with positions 'relative_bias', found '",
                      core::name_of(options.positions, positions()), "'; leave it out, or set positions");
  }
  if (!options.has_relative_bias()) return;
  check_plain_attention(reader, options);
  const int64_t buckets = options.bucket_count();
  if (buckets < RelativeBuckets::kLeast || buckets % 2 != 0) {
    fail<ConfigError>(reader.path_of("relative_buckets"), ": must be an even number from ", RelativeBuckets::kLeast,
                      ", got ", buckets, "; half of them are for each direction");
  }
  if (options.bucket_distance() > buckets / 2) return;
  fail<ConfigError>(reader.path_of("relative_max_distance"), ": must be more than half of the ", buckets,
                    " relative_buckets, got ", options.bucket_distance(),
                    "; make it larger, or relative_buckets smaller");
}

/// Rotary positions turn queries and keys in pairs of features, which only a product of both takes.
void check_rotary(const JsonReader& reader, const TransformerOptions& options) {
  if (options.positions != Positions::kRotary) return;
  check_plain_attention(reader, options);
  if (options.key_width() % 2 == 0) return;
  fail<ConfigError>(reader.path_of("positions"), ": 'rotary' needs an even number of features in each head, found ",
                    options.key_width(), "; change d_k, or d_model or heads");
}

void check_halves(const JsonReader& reader, const TransformerOptions& options) {
  constexpr int64_t kLeast = 4;  // two frequencies
  if (options.positions != Positions::kHalvedSinusoidal) return;
  if (options.d_model >= kLeast && options.d_model % 2 == 0) return;
  fail<ConfigError>(reader.path_of("positions"), ": 'sinusoidal_halves' needs an even d_model of at least ", kLeast,
                    ", found ", options.d_model, "; change d_model, or use 'sinusoidal'");
}

/// `key` names the heads of the side.
void check_heads(const JsonReader& reader, const TransformerOptions& side, const char* key) {
  if (side.d_model % side.heads == 0 || (side.d_k > 0 && side.d_v > 0)) return;
  fail<ConfigError>(reader.path_of("d_model"), ": must be a multiple of ", key, " (", side.heads, "), got ",
                    side.d_model, "; change one of them, or give both d_k and d_v");
}

/// Settings of experts need experts, of which a token takes some but not all, and a layer that has them.
void check_experts(const JsonReader& reader, const TransformerOptions& options) {
  const TransformerOptions usual;
  if (options.experts == 0) {
    const auto refuse = [&](const char* key) {
      fail<ConfigError>(reader.path_of(key), ": has an effect only with experts; leave it out, or set experts");
    };
    if (options.experts_per_token != usual.experts_per_token) refuse("experts_per_token");
    if (options.expert_interval != usual.expert_interval) refuse("expert_interval");
    if (options.expert_balance != usual.expert_balance) refuse("expert_balance");
    return;
  }
  if (options.experts <= options.experts_per_token) {
    fail<ConfigError>(reader.path_of("experts"), ": must be more than experts_per_token (", options.experts_per_token,
                      "), got ", options.experts, "; make it larger, or 0 for a single feed-forward part");
  }
  const int64_t layers = std::max(options.encoder_layers, options.decoder_layers);
  if (options.expert_interval <= layers) return;
  fail<ConfigError>(reader.path_of("expert_interval"), ": must be at most the number of layers (", layers, "), got ",
                    options.expert_interval, "; otherwise, no layer has experts");
}

template <typename V, typename Options>
void all_fields(V& visit, Options& options) {
  transformer_fields(visit, options);
  long_input_fields(visit, options);
  expert_fields(visit, options);
}

}  // namespace

std::string name_of(AttentionScore score) { return core::name_of(score, attention_scores()); }

TransformerOptions TransformerOptions::encoder_side() const {
  TransformerOptions side = *this;
  side.decoder_heads = side.decoder_d_ff = 0;
  return side;
}

TransformerOptions TransformerOptions::decoder_side() const {
  TransformerOptions side = encoder_side();
  if (decoder_heads > 0) side.heads = decoder_heads;
  if (decoder_d_ff > 0) side.d_ff = decoder_d_ff;
  return side;
}

int64_t attended_layer(const TransformerOptions& options, int64_t decoder_layer) {
  const int64_t from_one = decoder_layer + 1, decoder_layers = options.decoder_layers;
  return (from_one * options.encoder_layers + decoder_layers - 1) / decoder_layers - 1;
}

void check(const TransformerOptions& options, const JsonReader& reader) {
  check_heads(reader, options, "heads");
  check_heads(reader, options.decoder_side(), "decoder_heads");
  check_halves(reader, options);
  check_rotary(reader, options);
  check_rotary(reader, options.decoder_side());
  check_buckets(reader, options);
  if (options.final_norm && options.norm == NormPlace::kPre) {
    fail<ConfigError>(reader.path_of("final_norm"),
                      ": has an effect only with norm 'post', because 'pre' always has "
                      "one; leave it out");
  }
}

ArchitecturePtr parse_transformer(JsonReader& reader) {
  TransformerOptions options;
  SettingsReader visit(reader);
  all_fields(visit, options);
  check(options, reader);
  check_long_inputs(reader, options);
  check_experts(reader, options);
  return std::make_shared<const TransformerArchitecture>(options);
}

json TransformerArchitecture::to_json() const {
  SettingsWriter visit;
  all_fields(visit, options);
  return visit.out;
}

std::vector<core::SettingDescription> TransformerArchitecture::describe() const {
  SettingsList visit;
  all_fields(visit, options);
  return visit.sections.front().settings;
}

ArchitecturePtr TransformerArchitecture::with_vocabularies(int64_t src_vocab, int64_t tgt_vocab) const {
  TransformerOptions changed = options;
  changed.src_vocab = src_vocab;
  changed.tgt_vocab = tgt_vocab;
  return std::make_shared<const TransformerArchitecture>(changed);
}

bool TransformerArchitecture::takes_encoder_of(const Architecture& other) const { return has_bert_encoder(other); }

}  // namespace ventris::architecture
