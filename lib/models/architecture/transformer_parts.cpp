#include "architecture/transformer_parts.h"

namespace ventris::architecture {
namespace {

constexpr const char* kSourceTokens = "src_embed.0.lut.weight";
constexpr const char* kTargetTokens = "tgt_embed.0.lut.weight";
constexpr const char* kGenerator = "generator.proj";

class Parts {
 public:
  Parts(const TransformerOptions& options, PartVisitor& visitor) : options_(options), visitor_(visitor) {}

  void stack(const std::string& side, int64_t layers, bool decoder) const {
    if (options_.has_relative_bias()) {
      visitor_.tensor(side + ".relative_bias.weight", {options_.bucket_count(), options_.heads});
    }
    for (int64_t i = 0; i < layers; ++i) layer(side + ".layers." + std::to_string(i), decoder, options_.has_experts(i));
    if (options_.has_final_norm()) norm(side + ".norm");
  }
  void embedding(const std::string& side, const char* tokens, int64_t vocab, int64_t positions) const {
    visitor_.table(tokens, vocab, options_.d_model);
    if (options_.positions == Positions::kLearned) visitor_.tensor(side + ".1.pe", {1, positions, options_.d_model});
    if (options_.embedding_norm) norm(side + ".1.norm");
  }

 private:
  int64_t keys() const { return options_.heads * options_.key_width(); }
  int64_t values() const { return options_.heads * options_.value_width(); }

  void norm(const std::string& name) const {
    visitor_.norm(name, options_.d_model, options_.norm_kind == NormKind::kLayer);
  }
  void attention(const std::string& name) const {
    const bool bias = options_.attention_bias;
    visitor_.linear(name + ".linears.0", options_.d_model, keys(), bias);
    visitor_.linear(name + ".linears.1", options_.d_model, keys(), bias);
    visitor_.linear(name + ".linears.2", options_.d_model, values(), bias);
    visitor_.linear(name + ".linears.3", values(), options_.d_model, bias);
    score(name + ".score");
  }
  void score(const std::string& name) const {
    const int64_t heads = options_.heads, width = options_.key_width();
    switch (options_.attention_score) {
      case AttentionScore::kScaledDot:
      case AttentionScore::kDot:
      case AttentionScore::kGaussian: return;
      case AttentionScore::kCosine: return visitor_.tensor(name + ".log_scale", {heads});
      case AttentionScore::kBilinear: return visitor_.tensor(name + ".weight", {heads, width, width});
      case AttentionScore::kAdditive: return visitor_.tensor(name + ".vector", {heads, width});
    }
  }
  void self_attention(const std::string& name, bool decoder) const {
    const bool segment = options_.self_attention == SelfAttention::kSegment;
    if (!decoder && options_.self_attention == SelfAttention::kLowRank) {
      visitor_.tensor(name + ".key_projection", {options_.low_rank_size, options_.max_positions});
      visitor_.tensor(name + ".value_projection", {options_.low_rank_size, options_.max_positions});
    }
    if (segment) {
      visitor_.tensor(name + ".r_w_bias", {keys()});
      visitor_.tensor(name + ".r_r_bias", {keys()});
    }
    attention(name);
    if (segment) visitor_.linear(name + ".r_net", options_.d_model, keys(), /*bias=*/false);
  }
  void ssru(const std::string& name) const {
    visitor_.linear(name + ".input", options_.d_model, options_.d_model, /*bias=*/false);
    visitor_.linear(name + ".forget", options_.d_model, options_.d_model, /*bias=*/true);
  }
  void feed_forward(const std::string& name) const {
    visitor_.linear(name + ".w_1", options_.d_model, options_.d_ff, /*bias=*/true);
    visitor_.linear(name + ".w_2", options_.d_ff, options_.d_model, /*bias=*/true);
    if (options_.gated_feed_forward) visitor_.linear(name + ".w_3", options_.d_model, options_.d_ff, /*bias=*/true);
  }
  void experts(const std::string& name) const {
    visitor_.linear(name + ".router", options_.d_model, options_.experts, /*bias=*/false);
    for (int64_t i = 0; i < options_.experts; ++i) feed_forward(name + ".experts." + std::to_string(i));
  }
  void layer(const std::string& name, bool decoder, bool has_experts) const {
    if (decoder && options_.cross_attention == CrossAttention::kWeighted) {
      visitor_.tensor(name + ".src_mixture", {options_.encoder_layers});
    }
    if (decoder && options_.has_ssru()) {
      ssru(name + ".ssru");
    } else {
      self_attention(name + ".self_attn", decoder);
    }
    if (decoder) attention(name + ".src_attn");
    if (has_experts) {
      experts(name + ".feed_forward");
    } else {
      feed_forward(name + ".feed_forward");
    }
    for (int i = 0; i < (decoder ? 3 : 2); ++i) norm(name + ".sublayer." + std::to_string(i) + ".norm");
  }

  const TransformerOptions& options_;
  PartVisitor& visitor_;
};

}  // namespace

void each_part(const TransformerOptions& options, int64_t target_positions, PartVisitor& visitor) {
  const TransformerOptions decoder = options.decoder_side();
  const Parts parts(options, visitor);
  parts.stack("encoder", options.encoder_layers, /*decoder=*/false);
  Parts(decoder, visitor).stack("decoder", options.decoder_layers, /*decoder=*/true);
  parts.embedding("src_embed", kSourceTokens, options.src_vocab, options.max_positions);
  parts.embedding("tgt_embed", kTargetTokens, options.tgt_vocab, target_positions);
  visitor.linear(kGenerator, options.d_model, options.tgt_vocab, /*bias=*/true);
}

std::map<std::string, std::string> tied_tensors(Tying tying) {
  const std::string output = std::string(kGenerator) + ".weight";
  switch (tying) {
    case Tying::kNone: return {};
    case Tying::kDecoder: return {{output, kTargetTokens}};
    case Tying::kAll: return {{output, kSourceTokens}, {kTargetTokens, kSourceTokens}};
  }
  return {};
}

}  // namespace ventris::architecture
