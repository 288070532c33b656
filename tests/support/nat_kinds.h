#pragma once
#include <torch/torch.h>

#include <string>
#include <utility>
#include <vector>

#include "architecture/transformer_nat_options.h"
#include "families/transformer_nat.h"

namespace ventris::test {

/// Small non-autoregressive models, by name: every objective, decoder input and way to stop.
inline std::vector<std::pair<std::string, architecture::NatOptions>> nat_kinds() {
  using architecture::DecoderInput;
  using architecture::NatLoss;
  using architecture::Stop;
  architecture::NatOptions base;
  base.length_range = 6;
  base.transformer.src_vocab = base.transformer.tgt_vocab = 23;
  base.transformer.encoder_layers = base.transformer.decoder_layers = 2;
  base.transformer.d_model = 16;
  base.transformer.d_ff = 32;
  base.transformer.heads = 4;
  base.transformer.max_positions = 64;
  std::vector<std::pair<std::string, architecture::NatOptions>> all;
  const auto add = [&](const char* name, NatLoss objective, DecoderInput input,
                       Stop stop) -> architecture::NatOptions& {
    all.emplace_back(name, base);
    all.back().second.objective = objective;
    all.back().second.decoder_input = input;
    all.back().second.stop = stop;
    return all.back().second;
  };
  add("mask_predict", NatLoss::kMaskPredict, DecoderInput::kMask, Stop::kLength);
  add("plain_uniform", NatLoss::kPlain, DecoderInput::kUniform, Stop::kLength);
  add("plain_mask_eos", NatLoss::kPlain, DecoderInput::kMask, Stop::kEos);
  add("glancing_soft_eos", NatLoss::kGlancing, DecoderInput::kSoft, Stop::kEos).transformer.cross_attention =
      architecture::CrossAttention::kLayerwise;
  add("glancing_mask", NatLoss::kGlancing, DecoderInput::kMask, Stop::kLength).transformer.cross_attention =
      architecture::CrossAttention::kWeighted;
  add("ctc_uniform", NatLoss::kCtc, DecoderInput::kUniform, Stop::kLength);
  architecture::TransformerOptions& gated =
      add("ctc_gated", NatLoss::kCtc, DecoderInput::kUniform, Stop::kLength).transformer;
  gated.norm_kind = architecture::NormKind::kRms;
  gated.activation = architecture::Activation::kSilu;
  gated.gated_feed_forward = true;
  add("ctc_soft", NatLoss::kCtc, DecoderInput::kSoft, Stop::kLength).upsampling = 3;
  add("ctc_glancing_mask", NatLoss::kCtcGlancing, DecoderInput::kMask, Stop::kLength).transformer.norm =
      architecture::NormPlace::kPost;
  return all;
}

inline architecture::NatOptions nat_kind(const std::string& name) {
  for (const auto& [known, options] : nat_kinds()) {
    if (known == name) return options;
  }
  throw std::out_of_range("nat_kind: " + name);
}

/// A random model of these options in eval mode; the same seed gives the same weights.
inline families::NonAutoregressive random_nat(const architecture::NatOptions& options, uint64_t seed = 1) {
  torch::manual_seed(seed);
  families::NonAutoregressive model(options);
  model->initialise();
  model->eval();
  return model;
}

}  // namespace ventris::test
