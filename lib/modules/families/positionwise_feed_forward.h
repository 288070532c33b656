#pragma once
#include <torch/torch.h>

#include "nn/dropout.h"
#include "nn/layer_options.h"
#include "nn/linear.h"

namespace ventris::families {

/// w_2(dropout(activation(w_1(x)))). Source: Vaswani et al. 2017, section 3.3. Gated: w_2(dropout(activation(w_1(x)) *
/// w_3(x))). Source: Shazeer 2020.
class PositionwiseFeedForwardImpl : public torch::nn::Module {
 public:
  explicit PositionwiseFeedForwardImpl(const nn::TransformerOptions& options);
  /// x [..., d_model] -> [..., d_model].
  torch::Tensor forward(const torch::Tensor& x);
  void pretty_print(std::ostream& out) const override;
  nn::Linear w_1{nullptr}, w_2{nullptr};
  nn::Linear w_3{nullptr};  ///< null unless gated
  nn::Dropout dropout{nullptr};

 private:
  nn::Activation activation_;
};
TORCH_MODULE(PositionwiseFeedForward);

}  // namespace ventris::families
