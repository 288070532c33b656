#pragma once
#include <torch/torch.h>

#include "nn/linear.h"

namespace ventris::nn {

/// Linear layer and log_softmax. Source: Vaswani et al. 2017, section 3.4.
class GeneratorImpl : public torch::nn::Module {
 public:
  GeneratorImpl(int64_t d_model, int64_t vocab) { proj = register_module("proj", Linear(d_model, vocab)); }
  /// x [..., d_model] -> log-probabilities [..., vocab].
  torch::Tensor forward(const torch::Tensor& x) { return at::log_softmax(proj(x), -1); }
  /// The same before log_softmax.
  torch::Tensor logits(const torch::Tensor& x) { return proj(x); }
  Linear proj{nullptr};
};
TORCH_MODULE(Generator);

}  // namespace ventris::nn
