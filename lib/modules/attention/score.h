#pragma once
#include <torch/torch.h>

#include "nn/layer_options.h"

namespace ventris::attention {

/// How well keys fit queries, for every kind of score but scaled_dot, which needs no module. The name in a block is
/// `score`. Computed at least in f32, also under autocast. docs/attention.md has the formulas and sources.
class ScoreImpl : public torch::nn::Module {
 public:
  static constexpr double kFirstScale = 10, kLargestScale = 100;  ///< of cosine
  static constexpr double kSmallestNorm = 1e-12;  ///< shorter vectors count as this long in cosine, as in torch

  /// `width`: features of a query or key in each head. Throws std::invalid_argument for kScaledDot.
  ScoreImpl(nn::AttentionScore kind, int64_t heads, int64_t width);

  /// query [batch, heads, q_len, width], key [batch, heads, k_len, width] -> [batch, heads, q_len, k_len]. Gaussian
  /// scores lack the term that is the same for all keys of a query, which softmax takes out anyway.
  torch::Tensor forward(const torch::Tensor& query, const torch::Tensor& key);

  void pretty_print(std::ostream& out) const override;

  torch::Tensor log_scale;  ///< cosine: [heads], logarithm of the factor, at first that of 10; over that of 100 it
                            ///< counts as 100
  torch::Tensor weight;     ///< bilinear: [heads, width, width], at first width^-0.5 times the identity (scaled_dot)
  torch::Tensor vector;     ///< additive: [heads, width], drawn like every matrix (ModelImpl::initialise)

 private:
  nn::AttentionScore kind_;
};
TORCH_MODULE(Score);

}  // namespace ventris::attention
