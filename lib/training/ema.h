#pragma once
#include <string>
#include <vector>

#include "training/adam.h"

namespace ventris::training {

/// Exponential moving average of the weights: average += (1 - d) (weights - average) after each update, with
/// d = min(decay, (1 + updates) / (10 + updates)), so that the first weights are soon forgotten. Polyak and Juditsky
/// 1992; the warm-up is that of TensorFlow's ExponentialMovingAverage.
class Ema {
 public:
  /// Begins with the parameters as they are. decay in (0, 1).
  Ema(const std::vector<NamedParameter>& parameters, double decay);

  /// Call after an update of the weights.
  void update();

  /// Same names and order as the parameters.
  const std::vector<NamedParameter>& average() const { return average_; }

  /// The state as a safetensors file's bytes: the averages by name, metadata "updates".
  std::string save() const;

  /// Takes a saved state. Throws ModelError if an average is missing or of another shape.
  void load(const model::Safetensors& state);

 private:
  std::vector<torch::Tensor> weights_, averages_;
  std::vector<NamedParameter> average_;  // the same tensors as averages_
  double decay_;
  int64_t updates_ = 0;
};

}  // namespace ventris::training
