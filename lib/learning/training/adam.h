#pragma once
#include <torch/torch.h>

#include <map>
#include <string>
#include <vector>

#include "model/safetensors.h"
#include "nn/module_parameters.h"
#include "settings/run_config.h"

namespace ventris::training {

using nn::distinct_named_parameters;
using nn::NamedParameter;

/// Adam or AdamW with LibTorch's fused kernels (CPU and CUDA): one call per update for all parameters.
/// Kingma and Ba 2015; AdamW: Loshchilov and Hutter 2019.
class Adam {
 public:
  Adam(std::vector<NamedParameter> parameters, const settings::OptimizerConfig& config);

  /// One update with these gradients (one per parameter, in the same order and shapes).
  void step(const std::vector<torch::Tensor>& gradients, double learning_rate);

  const std::vector<NamedParameter>& parameters() const { return parameters_; }
  int64_t updates() const { return updates_; }

  /// The state as the bytes of a safetensors file: the moments "first.NAME" and "second.NAME", and metadata "updates".
  std::string save() const;

  /// Loads a saved state. Throws ModelError if a moment is missing or has another shape.
  void load(const model::Safetensors& state);

 private:
  std::vector<NamedParameter> parameters_;
  std::vector<torch::Tensor> values_, first_, second_;  // the moments of each parameter
  settings::OptimizerConfig config_;
  int64_t updates_ = 0;
};

/// The norm of all gradients together (an undefined gradient counts as zero).
double global_norm(const std::vector<torch::Tensor>& gradients);

}  // namespace ventris::training
