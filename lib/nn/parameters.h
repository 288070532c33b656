#pragma once
#include <torch/torch.h>

#include <string>
#include <vector>

namespace ventris::nn {

/// A parameter and the name it is stored under.
struct NamedParameter {
  std::string name;
  torch::Tensor value;
};

/// The parameters of a module in the order of registration, tied ones once, under their first name: what an optimiser
/// may step, since a tensor that is registered under two names appears twice in `parameters()`.
std::vector<NamedParameter> distinct_named_parameters(const torch::nn::Module& module);

/// The same without their names.
std::vector<torch::Tensor> distinct_parameters(const torch::nn::Module& module);

}  // namespace ventris::nn
