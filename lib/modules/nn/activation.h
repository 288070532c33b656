#pragma once
#include <torch/torch.h>

#include "nn/layer_options.h"

namespace ventris::nn {

/// x of any shape -> the same shape.
inline torch::Tensor activate(Activation activation, const torch::Tensor& x) {
  switch (activation) {
    case Activation::kRelu: return at::relu(x);
    case Activation::kGelu: return at::gelu(x);
    case Activation::kSilu: return at::silu(x);
    case Activation::kGeluTanh: return at::gelu(x, "tanh");
    case Activation::kGeluSigmoid: return x * at::sigmoid(1.702 * x);
  }
  return {};
}

}  // namespace ventris::nn
