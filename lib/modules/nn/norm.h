#pragma once
#include <torch/torch.h>

#include <utility>

#include "nn/layer_options.h"

namespace ventris::nn {

/// Normalisation over the last dimension. Layer norm: as torch::nn::LayerNorm, with `epsilon` added to the variance.
/// RMSNorm: x / sqrt(mean(x^2) + epsilon) * weight (Zhang and Sennrich 2019).
class NormImpl : public torch::nn::Module {
 public:
  NormImpl(NormKind kind, int64_t width, double epsilon = 1e-5);
  /// A norm of the model with these options.
  explicit NormImpl(const TransformerOptions& options)
      : NormImpl(options.norm_kind, options.d_model, options.norm_epsilon) {}

  /// x [..., width] -> [..., width].
  torch::Tensor forward(const torch::Tensor& x);
  /// For a residual connection around a block that begins with this norm: returns x [..., width], for the sum, and
  /// forward(x), for the block; the latter in bf16 under autocast, where a matrix product would round it anyway.
  /// With a layer norm, the gradients of both are added in one pass; they have no second derivative. Throws c10::Error
  /// for another width.
  std::pair<torch::Tensor, torch::Tensor> branch(const torch::Tensor& x);
  void pretty_print(std::ostream& out) const override;

  torch::Tensor weight;  ///< [width], at first 1
  torch::Tensor bias;    ///< [width], at first 0; undefined in RMSNorm

 private:
  bool learns_on_gpu(const torch::Tensor& x) const;
  std::pair<torch::Tensor, torch::Tensor> layer_branch(const torch::Tensor& x, bool bf16);

  NormKind kind_;
  double epsilon_;
};
TORCH_MODULE(Norm);

}  // namespace ventris::nn
