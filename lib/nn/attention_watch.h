#pragma once
#include <torch/torch.h>

#include <vector>

#include "nn/multi_head_attention.h"

namespace ventris::nn {

/// While it lives, it keeps the attention weights of some blocks that run on this thread. These blocks use
/// forward_with_weights, all others the fast code. Scopes nest: a block belongs to the innermost scope that watches it.
class AttentionWatch {
 public:
  explicit AttentionWatch(std::vector<const MultiHeadAttentionImpl*> blocks);
  ~AttentionWatch();
  AttentionWatch(const AttentionWatch&) = delete;
  AttentionWatch& operator=(const AttentionWatch&) = delete;

  /// The weights [batch, heads, q_len, k_len] of the last forward of blocks[i], before dropout; undefined = it has not
  /// run.
  const torch::Tensor& weights(size_t i) const { return weights_.at(i); }

  /// Where to store the weights of `block` on this thread; null = it is not watched.
  static torch::Tensor* place_for(const MultiHeadAttentionImpl& block);

 private:
  AttentionWatch* outer_;
  std::vector<const MultiHeadAttentionImpl*> blocks_;
  std::vector<torch::Tensor> weights_;
};

}  // namespace ventris::nn
