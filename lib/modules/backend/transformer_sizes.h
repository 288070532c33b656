#pragma once
#include "architecture/transformer_options.h"
#include "backend/module_memory.h"

namespace ventris::backend {

/// The sizes of a Transformer, and of other families that consist of its layers.
inline ModelSizes transformer_sizes(const architecture::TransformerOptions& options) {
  ModelSizes sizes{options.d_model, options.d_ff * (options.gated_feed_forward ? 2 : 1), options.heads};
  sizes.keys = options.heads * options.key_width();
  sizes.values = options.heads * options.value_width();
  sizes.encoder_layers = options.encoder_layers;
  sizes.decoder_layers = options.decoder_layers;
  if (options.self_attention == architecture::SelfAttention::kLinear) {
    sizes.sums = options.heads * options.key_width() * (options.value_width() + 1);
  }
  if (options.has_ssru()) sizes.sums = options.d_model;
  return sizes;
}

}  // namespace ventris::backend
