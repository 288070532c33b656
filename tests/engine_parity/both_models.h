#pragma once
#include <torch/torch.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "backend/module_scorer.h"
#include "backend/module_weights.h"
#include "engine/factory.h"
#include "families/transformer.h"
#include "support/random_numbers.h"

namespace ventris::test {

/// Rotary positions, buckets of distances, or any score and any kind of self-attention that goes with it, with sizes
/// that are smaller or larger than sentences.
inline void choose_attention(RandomNumbers& random, nn::TransformerOptions& options) {
  if (random.between(0, 3) == 0) {
    options.positions = nn::Positions::kRotary;
    options.d_k = options.key_width() / 2 * 2 + 2;
    return;
  }
  if (random.between(0, 4) == 0) {
    options.positions = nn::Positions::kRelativeBias;
    options.relative_buckets = 2 * random.between(2, 16);
    options.relative_max_distance = options.relative_buckets / 2 + random.between(1, 40);
    return;
  }
  options.attention_score = static_cast<nn::AttentionScore>(random.between(0, 5));
  options.self_attention = static_cast<nn::SelfAttention>(random.between(0, 5));
  switch (options.self_attention) {
    case nn::SelfAttention::kWindow:
      options.window = random.between(1, random.coin() ? 5 : 48);
      options.global_positions = random.coin() ? random.between(0, 7) : 0;
      return;
    case nn::SelfAttention::kLowRank: options.low_rank_size = random.between(1, random.coin() ? 6 : 48); return;
    case nn::SelfAttention::kLinear: options.attention_score = nn::AttentionScore::kScaledDot; return;
    case nn::SelfAttention::kSegment:
      options.attention_score = nn::AttentionScore::kScaledDot;
      options.positions = nn::Positions::kRelative;
      options.segment = random.between(1, random.coin() ? 6 : 48);
      options.segment_memory = random.coin() ? random.between(0, 20) : 0;
      return;
    case nn::SelfAttention::kSsru:
    case nn::SelfAttention::kFull: return;
  }
}

/// Settings of any small Transformer, with widths that are no multiples of anything. d_model is
/// at least 8, because layer norms of very few values amplify rounding errors.
inline nn::TransformerOptions random_options(RandomNumbers& random) {
  nn::TransformerOptions options;
  options.encoder_layers = random.between(1, 4);
  options.decoder_layers = random.between(1, 4);
  options.heads = random.between(1, 4);
  const bool own_widths = random.between(0, 2) > 0;
  options.d_model = own_widths ? random.between(8, 45) : options.heads * random.between(8, 12);
  options.d_k = own_widths ? random.between(1, 37) : 0;
  options.d_v = own_widths ? random.between(1, 37) : 0;
  options.d_ff = random.between(1, 70);
  options.norm = random.coin() ? nn::NormPlace::kPre : nn::NormPlace::kPost;
  options.norm_kind = random.coin() ? nn::NormKind::kLayer : nn::NormKind::kRms;
  options.activation = static_cast<nn::Activation>(random.between(0, 4));
  options.gated_feed_forward = random.coin();
  options.positions = random.coin() ? nn::Positions::kSinusoidal : nn::Positions::kLearned;
  options.max_positions = 48;
  options.tying = static_cast<nn::Tying>(random.between(0, 2));
  options.tgt_vocab = random.between(6, 60);
  options.src_vocab = options.tying == nn::Tying::kAll ? options.tgt_vocab : random.between(6, 60);
  options.cross_attention = static_cast<nn::CrossAttention>(random.between(0, 3));
  options.attention_bias = random.coin();
  options.embedding_norm = random.coin();
  options.norm_epsilon = random.coin() ? 1e-5 : 1e-2;
  options.scale_embeddings = random.between(0, 3) > 0;
  options.final_norm = options.norm == nn::NormPlace::kPost && random.coin();
  choose_attention(random, options);
  options.decoder_heads = options.d_k > 0 && options.d_v > 0 ? random.between(0, 5) : random.between(0, 1);
  options.decoder_d_ff = random.coin() ? random.between(1, 90) : 0;
  if (random.between(0, 3) == 0) {
    options.experts_per_token = random.between(1, 2);
    options.experts = options.experts_per_token + random.between(1, 6);
  }
  return options;
}

/// The share of rounding errors that reaches the result: with cosine, 10 times that of the keys and queries, if these
/// are short and have few features; with a gate, that of both of its factors; with experts, more, because a token may
/// take another one.
inline double share_of_rounding(const nn::TransformerOptions& options) {
  return (options.attention_score == nn::AttentionScore::kCosine ? 4 : 1) * (options.gated_feed_forward ? 1.5 : 1) *
         (options.experts > 0 ? 3 : 1);
}

/// What a failed test says about the model.
inline std::string described(const nn::TransformerOptions& options) {
  return architecture::TransformerArchitecture(options).to_json().dump();
}

/// A module, and the engine with its weights.
struct BothModels {
  BothModels(const nn::TransformerOptions& options, uint64_t seed) : module(make_module(options, seed)) {
    scorer_options.max_length = options.max_positions;
  }

  std::unique_ptr<decoding::ScorerFactory> engine(engine::Precision precision = engine::Precision::kF32) const {
    model::ModelConfig config;
    config.architecture = std::make_shared<architecture::TransformerArchitecture>(module->options);
    return engine::make_factory(config, model::Safetensors::parse(backend::save_weights(*module), "weights"),
                                {precision});
  }
  std::unique_ptr<decoding::ScorerFactory> backend() const {
    auto options = scorer_options;
    options.never = options.ids.never(/*allow_unk=*/false);  // as in the engine
    return backend::make_module_factory(module, options);
  }

  families::EncoderDecoder module{nullptr};
  backend::ScorerOptions scorer_options;

 private:
  /// Gains, biases, mixtures and bilinear scores are random too, as after training.
  static families::EncoderDecoder make_module(const nn::TransformerOptions& options, uint64_t seed) {
    at::set_num_threads(1);  // more only wait for each other with such small tensors
    torch::manual_seed(seed);
    auto made = families::make_model(options);
    made->eval();
    const torch::NoGradGuard no_grad;
    for (auto& item : made->named_parameters()) {
      if (item.value().dim() == 1 || item.key().ends_with("score.weight"))
        item.value().add_(torch::randn_like(item.value()), 0.2);
    }
    return made;
  }
};

inline std::vector<int32_t> random_ids(RandomNumbers& random, int64_t count, int64_t vocab) {
  std::vector<int32_t> ids;
  for (int64_t i = 0; i < count; ++i) ids.push_back(static_cast<int32_t>(random.between(4, vocab - 1)));
  return ids;
}

}  // namespace ventris::test
