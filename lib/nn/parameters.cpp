#include "nn/parameters.h"

#include <unordered_set>

namespace ventris::nn {

std::vector<torch::Tensor> distinct_parameters(const torch::nn::Module& module) {
  std::unordered_set<const void*> seen;
  std::vector<torch::Tensor> distinct;
  for (const torch::Tensor& parameter : module.parameters()) {
    if (seen.insert(parameter.unsafeGetTensorImpl()).second) distinct.push_back(parameter);
  }
  return distinct;
}

}  // namespace ventris::nn
