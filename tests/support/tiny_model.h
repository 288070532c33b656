#pragma once
#include <torch/torch.h>

#include "families/transformer.h"
#include "model/package.h"
#include "support/model_writer.h"
#include "support/shape_of.h"

namespace ventris::test {

/// A small random model in eval mode; the same seed gives the same weights.
inline families::EncoderDecoder tiny_model(uint64_t seed = 1, nn::NormPlace norm = nn::NormPlace::kPre,
                                           double dropout = 0.1) {
  torch::manual_seed(seed);
  auto model = families::make_model(nn::TransformerOptions{.src_vocab = 23,
                                                           .tgt_vocab = 23,
                                                           .encoder_layers = 2,
                                                           .decoder_layers = 2,
                                                           .d_model = 16,
                                                           .d_ff = 32,
                                                           .heads = 4,
                                                           .dropout = dropout,
                                                           .norm = norm,
                                                           .max_positions = 64,
                                                           .tying = nn::Tying::kAll});
  model->eval();
  return model;
}

/// What a bundle of it says, with a tokenizer of a few letters.
inline model::Package package_of_tiny_model(nn::NormPlace norm = nn::NormPlace::kPre) {
  model::Package package;
  auto& transformer = shape_of(package.config);
  transformer.encoder_layers = transformer.decoder_layers = 2;
  transformer.d_model = 16;
  transformer.d_ff = 32;
  transformer.heads = 4;
  transformer.max_positions = 64;
  transformer.src_vocab = transformer.tgt_vocab = 23;
  transformer.norm = norm;
  package.source_spm = package.target_spm = written_model(19);
  return package;
}

}  // namespace ventris::test
