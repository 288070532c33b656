#pragma once
#include <torch/torch.h>

#include <cstdint>

#include "nn/routed_block.h"

namespace ventris::training {

/// How unevenly the tokens of a batch use the experts of one block: experts * sum over i of f_i * P_i, where f_i is the
/// share of the choices that fall on expert i, and P_i the mean of its probability. 1 = evenly. `probabilities` [batch,
/// len, experts] are those of a router; `tokens` [batch, len] is true at those that count. Undefined if none does.
/// Source: Fedus et al. 2021, section 2.2, for one expert per token; with two, f counts both choices.
torch::Tensor imbalance(const torch::Tensor& probabilities, const torch::Tensor& tokens, int64_t experts_per_token);

/// Watches the routers of a model while a batch runs through it.
class BalanceLoss {
 public:
  /// `learn` = false: watches nothing, and the loss is undefined.
  BalanceLoss(const nn::RoutedBlocks& blocks, bool learn);

  /// The sum of imbalance() over all blocks, times its weight; undefined if no block is watched. `source` [batch,
  /// src_len] and `target` [batch, tgt_len] are the ids that encoder and decoder read; `pad` does not count.
  torch::Tensor of(const torch::Tensor& source, const torch::Tensor& target, int32_t pad) const;

 private:
  nn::RoutedBlocks blocks_;
  nn::RouterWatch encoder_, decoder_;
};

}  // namespace ventris::training
