#pragma once
#include <torch/torch.h>

namespace ventris::nn {

/// Zeroes each element with probability p and scales the others by 1 / (1 - p); in eval mode the identity. Draws from
/// the thread's RandomScope. Source: Srivastava et al. 2014.
class DropoutImpl : public torch::nn::Module {
 public:
  /// Throws std::invalid_argument unless 0 <= p < 1.
  explicit DropoutImpl(double p);
  /// x of any shape; the result has the same.
  torch::Tensor forward(const torch::Tensor& x);
  void pretty_print(std::ostream& out) const override;
  const double p;
};
TORCH_MODULE(Dropout);

}  // namespace ventris::nn
