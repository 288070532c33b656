#pragma once
#include <torch/torch.h>

#include <map>
#include <string>
#include <vector>

#include "model/safetensors.h"
#include "nn/parameters.h"
#include "run/config.h"

namespace ventris::training {

using nn::distinct_named_parameters;
using nn::NamedParameter;

/// Adam or AdamW on LibTorch's fused kernels (CPU and CUDA): one call an update for all parameters.
/// Kingma and Ba 2015; AdamW: Loshchilov and Hutter 2019.
class Adam {
 public:
  Adam(std::vector<NamedParameter> parameters, const run::OptimizerConfig& config);

  /// One update with these gradients (one a parameter, same order and shapes).
  void step(const std::vector<torch::Tensor>& gradients, double learning_rate);

  const std::vector<NamedParameter>& parameters() const { return parameters_; }
  int64_t updates() const { return updates_; }

  /// The state as a safetensors file's bytes: "first.NAME" and "second.NAME" moments, metadata "updates".
  std::string save() const;

  /// Takes a saved state. Throws ModelError if a moment is missing or of another shape.
  void load(const model::Safetensors& state);

 private:
  std::vector<NamedParameter> parameters_;
  std::vector<torch::Tensor> values_, first_, second_;  // the moments of each parameter
  run::OptimizerConfig config_;
  int64_t updates_ = 0;
};

/// Norm of all gradients taken together (an undefined gradient counts as zero).
double global_norm(const std::vector<torch::Tensor>& gradients);

}  // namespace ventris::training
