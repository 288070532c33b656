#pragma once
#include <torch/torch.h>

namespace ventris::nn {

/// torch::nn::LayerNorm over the last dimension.
class LayerNormImpl : public torch::nn::LayerNormImpl {
 public:
  explicit LayerNormImpl(int64_t width) : torch::nn::LayerNormImpl(torch::nn::LayerNormOptions({width})) {}
  /// forward(x) for a block that only multiplies it: x [..., width]; in bf16 under a CPU's autocast, where a product
  /// rounds to that anyway, which saves a pass through memory each way.
  torch::Tensor for_products(const torch::Tensor& x);
};
TORCH_MODULE(LayerNorm);

}  // namespace ventris::nn
