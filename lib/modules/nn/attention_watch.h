#pragma once
#include <torch/torch.h>

#include <vector>

namespace ventris::nn {

/// A block whose attention weights can be watched. While it runs, it stores them in AttentionWatch::place_for(*this),
/// if there is such a place.
class AttentionBlock {
 public:
  virtual int64_t heads() const = 0;

 protected:
  ~AttentionBlock() = default;
};

/// While it lives, it keeps the attention weights of some blocks that run on this thread. All others use code that need
/// not compute them, where there is such code. Scopes nest: a block belongs to the innermost scope that watches it.
class AttentionWatch {
 public:
  explicit AttentionWatch(std::vector<const AttentionBlock*> blocks);
  ~AttentionWatch();
  AttentionWatch(const AttentionWatch&) = delete;
  AttentionWatch& operator=(const AttentionWatch&) = delete;

  /// The weights [batch, heads, q_len, k_len] of the last forward of blocks[i], before dropout; undefined = it has not
  /// run.
  const torch::Tensor& weights(size_t i) const { return weights_.at(i); }

  /// Where to store the weights of `block` on this thread; null = it is not watched.
  static torch::Tensor* place_for(const AttentionBlock& block);

 private:
  AttentionWatch* outer_;
  std::vector<const AttentionBlock*> blocks_;
  std::vector<torch::Tensor> weights_;
};

}  // namespace ventris::nn
