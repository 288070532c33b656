#pragma once
#include <torch/torch.h>

#include <utility>

namespace ventris::nn {

/// torch::nn::LayerNorm over the last dimension.
class LayerNormImpl : public torch::nn::LayerNormImpl {
 public:
  explicit LayerNormImpl(int64_t width) : torch::nn::LayerNormImpl(torch::nn::LayerNormOptions({width})) {}
  /// For a residual connection around a block that begins with this norm: x [..., width] once more, to be added to, and
  /// forward(x), to be multiplied; in bf16 under a CPU's autocast, where a product rounds to that anyway. The gradients
  /// of both meet in one pass; they cannot be differentiated again. Throws c10::Error for another width.
  std::pair<torch::Tensor, torch::Tensor> branch(const torch::Tensor& x);
};
TORCH_MODULE(LayerNorm);

}  // namespace ventris::nn
