#pragma once
#include <torch/torch.h>

#include "nn/linear.h"

namespace ventris::families {

/// A simpler simple recurrent unit: c_t = f_t c_{t-1} + (1 - f_t) input(x_t) with f_t = sigmoid(forget(x_t)) and c_0 =
/// 0; it returns relu(c_t). In the decoder it replaces self-attention, and keeps one vector instead of keys and values.
/// Computed at least in f32, also under autocast. Source: Kim et al. 2019, section 3.
class SsruImpl : public torch::nn::Module {
 public:
  explicit SsruImpl(int64_t d_model);
  /// x [batch, len, d_model] -> the same shape. No position sees a later one, so padding belongs at the end.
  torch::Tensor forward(const torch::Tensor& x);
  /// The same as the last position of forward() for prefixes that end with x [rows, 1, d_model]. `cell` [rows, d_model]
  /// becomes the next one.
  torch::Tensor step(const torch::Tensor& x, torch::Tensor& cell);
  /// What step() keeps of `rows` empty prefixes: zeros [rows, d_model].
  torch::Tensor empty_cells(int64_t rows) const;
  void pretty_print(std::ostream& out) const override;
  nn::Linear input{nullptr};   ///< without a bias
  nn::Linear forget{nullptr};
};
TORCH_MODULE(Ssru);

}  // namespace ventris::families
