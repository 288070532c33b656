#pragma once
#include <algorithm>

#include "architecture/transformer_options.h"
#include "backend/module_memory.h"

namespace ventris::backend {

/// The sizes of a Transformer, and of other families that consist of its layers.
inline ModelSizes transformer_sizes(const architecture::TransformerOptions& options) {
  const architecture::TransformerOptions encoder = options.encoder_side(), decoder = options.decoder_side();
  const int64_t d_ff = std::max(encoder.d_ff, decoder.d_ff);
  ModelSizes sizes{options.d_model, d_ff * (options.gated_feed_forward ? 2 : 1),
                   std::max(encoder.heads, decoder.heads)};
  for (const auto& side : {encoder, decoder}) {
    sizes.keys = std::max(sizes.keys, side.heads * side.key_width());
    sizes.values = std::max(sizes.values, side.heads * side.value_width());
  }
  sizes.encoder_layers = options.encoder_layers;
  sizes.decoder_layers = options.decoder_layers;
  if (options.self_attention == architecture::SelfAttention::kLinear) {
    sizes.sums = decoder.heads * decoder.key_width() * (decoder.value_width() + 1);
  }
  if (options.has_ssru()) sizes.sums = options.d_model;
  return sizes;
}

}  // namespace ventris::backend
