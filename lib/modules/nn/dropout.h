#pragma once
#include <torch/torch.h>

namespace ventris::nn {

/// Sets each element to zero with probability p and scales the others by 1 / (1 - p). In eval mode, the identity. Draws
/// from the thread's RandomScope, or from the default generator of the device. Source: Srivastava et al. 2014.
class DropoutImpl : public torch::nn::Module {
 public:
  /// Throws std::invalid_argument unless 0 <= p < 1.
  explicit DropoutImpl(double p);
  /// x of any shape -> the same shape.
  torch::Tensor forward(const torch::Tensor& x);
  /// x + forward(y), where x and y have the same shape; in one pass where x is f32 and the device has kernels.
  torch::Tensor add_to(const torch::Tensor& x, const torch::Tensor& y);
  /// forward(relu(x)); in one pass where the device has kernels.
  torch::Tensor relu(const torch::Tensor& x);
  void pretty_print(std::ostream& out) const override;
  const double p;
};
TORCH_MODULE(Dropout);

/// A new random number from the thread's RandomScope, or from the default generator of `device` if there is none.
int64_t draw_dropout_seed(torch::Device device = torch::kCPU);

}  // namespace ventris::nn
