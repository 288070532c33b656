#pragma once
#include <torch/torch.h>

#include <vector>

namespace ventris::nn {

/// The parameters of a module in the order of registration, tied ones once: what an optimiser may step, since a tensor
/// that is registered under two names appears twice in `parameters()`.
std::vector<torch::Tensor> distinct_parameters(const torch::nn::Module& module);

}  // namespace ventris::nn
