#include "nn/module_parameters.h"

#include <unordered_set>

namespace ventris::nn {

std::vector<NamedParameter> distinct_named_parameters(const torch::nn::Module& module) {
  std::unordered_set<const void*> seen;
  std::vector<NamedParameter> distinct;
  for (const auto& item : module.named_parameters()) {
    if (seen.insert(item.value().unsafeGetTensorImpl()).second) distinct.push_back({item.key(), item.value()});
  }
  return distinct;
}

std::vector<torch::Tensor> distinct_parameters(const torch::nn::Module& module) {
  std::vector<torch::Tensor> values;
  for (const NamedParameter& parameter : distinct_named_parameters(module)) values.push_back(parameter.value);
  return values;
}

}  // namespace ventris::nn
