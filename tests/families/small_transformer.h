#pragma once
#include "families/transformer.h"

namespace ventris::families {

inline nn::TransformerOptions small_options() {
  return nn::TransformerOptions{.src_vocab = 13,
                                .tgt_vocab = 13,
                                .encoder_layers = 2,
                                .decoder_layers = 2,
                                .d_model = 16,
                                .d_ff = 24,
                                .heads = 4,
                                .max_positions = 30,
                                .tying = nn::Tying::kNone};
}

/// The settings of many language models.
inline nn::TransformerOptions rotary_options() {
  nn::TransformerOptions options = small_options();
  options.norm_kind = nn::NormKind::kRms;
  options.activation = nn::Activation::kSilu;
  options.gated_feed_forward = true;
  options.positions = nn::Positions::kRotary;
  return options;
}

/// The settings of T5.
inline nn::TransformerOptions relative_bias_options() {
  nn::TransformerOptions options = small_options();
  options.norm_kind = nn::NormKind::kRms;
  options.activation = nn::Activation::kGeluTanh;
  options.gated_feed_forward = true;
  options.scale_embeddings = options.attention_bias = false;
  options.positions = nn::Positions::kRelativeBias;
  options.relative_buckets = 8;
  options.relative_max_distance = 6;
  return options;
}

inline EncoderDecoder small_model(const nn::TransformerOptions& options = small_options()) {
  torch::manual_seed(1);
  auto model = make_model(options);
  model->eval();
  return model;
}

}  // namespace ventris::families
