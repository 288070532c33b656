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
  /// x + forward(y), of one shape; in one pass on a CPU.
  torch::Tensor add_to(const torch::Tensor& x, const torch::Tensor& y);
  /// forward(relu(x)); in one pass on a CPU.
  torch::Tensor relu(const torch::Tensor& x);
  void pretty_print(std::ostream& out) const override;
  const double p;
};
TORCH_MODULE(Dropout);

/// A fresh number from the thread's RandomScope, or from torch's default generator.
int64_t draw_dropout_seed();

}  // namespace ventris::nn
