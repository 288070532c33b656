#include "architecture/transformer_options.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "architecture/bert_options.h"
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

/// Names and shapes of the parameters, in the order in which the modules of families/transformer.h register them.
class TransformerTensors {
 public:
  TransformerTensors(const TransformerOptions& options, const Architecture::TensorVisitor& visit)
      : options_(options), visit_(visit) {}

  void linear(const std::string& name, int64_t in, int64_t out, bool bias = true) const {
    visit_(name + ".weight", {out, in});
    if (bias) visit_(name + ".bias", {out});
  }
  void norm(const std::string& name) const {
    visit_(name + ".weight", {options_.d_model});
    visit_(name + ".bias", {options_.d_model});
  }
  void attention(const std::string& name) const {
    const int64_t d_model = options_.d_model, keys = options_.heads * options_.key_width(),
                  values = options_.heads * options_.value_width();
    linear(name + ".linears.0", d_model, keys, options_.attention_bias);
    linear(name + ".linears.1", d_model, keys, options_.attention_bias);
    linear(name + ".linears.2", d_model, values, options_.attention_bias);
    linear(name + ".linears.3", values, d_model, options_.attention_bias);
    score(name + ".score");
  }
  void score(const std::string& name) const {
    const int64_t heads = options_.heads, width = options_.key_width();
    if (options_.attention_score == AttentionScore::kCosine) visit_(name + ".log_scale", {heads});
    if (options_.attention_score == AttentionScore::kBilinear) visit_(name + ".weight", {heads, width, width});
    if (options_.attention_score == AttentionScore::kAdditive) visit_(name + ".vector", {heads, width});
  }
  void layer(const std::string& name, bool decoder) const {
    if (decoder && options_.cross_attention == CrossAttention::kWeighted) {
      visit_(name + ".src_mixture", {options_.encoder_layers});
    }
    if (!decoder && options_.self_attention == SelfAttention::kLowRank) {
      visit_(name + ".self_attn.key_projection", {options_.low_rank_size, options_.max_positions});
      visit_(name + ".self_attn.value_projection", {options_.low_rank_size, options_.max_positions});
    }
    if (options_.self_attention == SelfAttention::kSegment) {
      visit_(name + ".self_attn.r_w_bias", {options_.heads * options_.key_width()});
      visit_(name + ".self_attn.r_r_bias", {options_.heads * options_.key_width()});
    }
    attention(name + ".self_attn");
    if (options_.self_attention == SelfAttention::kSegment) {
      linear(name + ".self_attn.r_net", options_.d_model, options_.heads * options_.key_width(), /*bias=*/false);
    }
    if (decoder) attention(name + ".src_attn");
    linear(name + ".feed_forward.w_1", options_.d_model, options_.d_ff);
    linear(name + ".feed_forward.w_2", options_.d_ff, options_.d_model);
    for (int i = 0; i < (decoder ? 3 : 2); ++i) norm(name + ".sublayer." + std::to_string(i) + ".norm");
  }
  void stack(const std::string& side, int64_t layers, bool decoder) const {
    for (int64_t i = 0; i < layers; ++i) layer(side + ".layers." + std::to_string(i), decoder);
    if (options_.norm == NormPlace::kPre) norm(side + ".norm");
  }
  void embedding(const std::string& side, int64_t vocab, int64_t positions) const {
    visit_(side + ".0.lut.weight", {vocab, options_.d_model});
    if (options_.positions == Positions::kLearned) {
      visit_(side + ".1.pe", {1, positions, options_.d_model});
    }
    if (options_.embedding_norm) norm(side + ".1.norm");
  }

 private:
  const TransformerOptions& options_;
  const Architecture::TensorVisitor& visit_;
};

}  // namespace

std::string name_of(AttentionScore score) { return core::name_of(score, attention_scores()); }

int64_t attended_layer(const TransformerOptions& options, int64_t decoder_layer) {
  const int64_t from_one = decoder_layer + 1, decoder_layers = options.decoder_layers;
  return (from_one * options.encoder_layers + decoder_layers - 1) / decoder_layers - 1;
}

void check(const TransformerOptions& options, const JsonReader& reader) {
  if (options.d_model % options.heads != 0 && (options.d_k == 0 || options.d_v == 0)) {
    fail<ConfigError>(reader.path_of("d_model"), ": must be a multiple of heads (", options.heads, "), got ",
                      options.d_model, "; change one of them, or give both d_k and d_v");
  }
}

ArchitecturePtr parse_transformer(JsonReader& reader) {
  TransformerOptions options;
  SettingsReader visit(reader);
  transformer_fields(visit, options);
  long_input_fields(visit, options);
  check(options, reader);
  check_long_inputs(reader, options);
  return std::make_shared<const TransformerArchitecture>(options);
}

json TransformerArchitecture::to_json() const {
  SettingsWriter visit;
  transformer_fields(visit, options);
  long_input_fields(visit, options);
  return visit.out;
}

std::vector<core::SettingDescription> TransformerArchitecture::describe() const {
  SettingsList visit;
  transformer_fields(visit, options);
  long_input_fields(visit, options);
  return visit.sections.front().settings;
}

ArchitecturePtr TransformerArchitecture::with_vocabularies(int64_t src_vocab, int64_t tgt_vocab) const {
  TransformerOptions changed = options;
  changed.src_vocab = src_vocab;
  changed.tgt_vocab = tgt_vocab;
  return std::make_shared<const TransformerArchitecture>(changed);
}

bool TransformerArchitecture::takes_encoder_of(const Architecture& other) const { return has_bert_encoder(other); }

void each_transformer_tensor(const TransformerOptions& options, int64_t tgt_positions,
                             const Architecture::TensorVisitor& visit) {
  const TransformerTensors tensors(options, visit);
  tensors.stack("encoder", options.encoder_layers, /*decoder=*/false);
  tensors.stack("decoder", options.decoder_layers, /*decoder=*/true);
  tensors.embedding("src_embed", options.src_vocab, options.max_positions);
  tensors.embedding("tgt_embed", options.tgt_vocab, tgt_positions);
  tensors.linear("generator.proj", options.d_model, options.tgt_vocab);
}

void TransformerArchitecture::each_tensor(const TensorVisitor& visit) const {
  each_transformer_tensor(options, options.max_positions, visit);
}

}  // namespace ventris::architecture
