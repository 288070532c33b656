#pragma once
#include <torch/torch.h>

#include <vector>

#include "nn/multi_head_attention.h"

namespace ventris::nn {

/// While it lives, keeps the weights of some attention blocks that run on this thread; they take the way of
/// forward_with_weights, the others the fast one. Scopes nest: a block belongs to the innermost that watches it.
class AttentionWatch {
 public:
  explicit AttentionWatch(std::vector<const MultiHeadAttentionImpl*> blocks);
  ~AttentionWatch();
  AttentionWatch(const AttentionWatch&) = delete;
  AttentionWatch& operator=(const AttentionWatch&) = delete;

  /// [batch, heads, q_len, k_len] of the last forward of blocks[i], as they are before dropout; undefined = it has not
  /// run.
  const torch::Tensor& weights(size_t i) const { return weights_.at(i); }

  /// Where the weights of `block` go on this thread; null = nobody watches it.
  static torch::Tensor* place_for(const MultiHeadAttentionImpl& block);

 private:
  AttentionWatch* outer_;
  std::vector<const MultiHeadAttentionImpl*> blocks_;
  std::vector<torch::Tensor> weights_;
};

}  // namespace ventris::nn
