#pragma once
#include <torch/torch.h>

#include "nn/transformer.h"

namespace ventris::test {

/// A small random model in eval mode; the same seed gives the same weights.
inline nn::EncoderDecoder tiny_model(uint64_t seed = 1, nn::NormPlace norm = nn::NormPlace::kPre, double dropout = 0.1) {
  torch::manual_seed(seed);
  auto model = nn::make_model(nn::TransformerOptions(23, 23)
                                  .encoder_layers(2)
                                  .decoder_layers(2)
                                  .d_model(16)
                                  .d_ff(32)
                                  .heads(4)
                                  .dropout(dropout)
                                  .norm(norm)
                                  .max_positions(64)
                                  .tying(nn::Tying::kAll));
  model->eval();
  return model;
}

}  // namespace ventris::test
