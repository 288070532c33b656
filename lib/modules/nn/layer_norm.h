#pragma once
#include <torch/torch.h>

#include <utility>

namespace ventris::nn {

/// torch::nn::LayerNorm over the last dimension. `epsilon` is added to the variance.
class LayerNormImpl : public torch::nn::LayerNormImpl {
 public:
  explicit LayerNormImpl(int64_t width, double epsilon = 1e-5)
      : torch::nn::LayerNormImpl(torch::nn::LayerNormOptions({width}).eps(epsilon)) {}
  /// For a residual connection around a block that begins with this norm: returns x [..., width], for the sum, and
  /// forward(x), for the block; the latter in bf16 under CPU autocast, where a matrix product would round it anyway.
  /// The gradients of both are added in one pass; they have no second derivative. Throws c10::Error for another width.
  std::pair<torch::Tensor, torch::Tensor> branch(const torch::Tensor& x);
};
TORCH_MODULE(LayerNorm);

}  // namespace ventris::nn
