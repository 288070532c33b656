#pragma once
#include <torch/torch.h>

#include <string>
#include <vector>

namespace ventris::nn {

/// A parameter with the name under which it is stored.
struct NamedParameter {
  std::string name;
  torch::Tensor value;
};

/// The parameters of a module in the order of registration. A tied parameter appears once, under its first name (in
/// `parameters()`, it appears under each name). An optimizer must use this list.
std::vector<NamedParameter> distinct_named_parameters(const torch::nn::Module& module);

/// The same without their names.
std::vector<torch::Tensor> distinct_parameters(const torch::nn::Module& module);

}  // namespace ventris::nn
