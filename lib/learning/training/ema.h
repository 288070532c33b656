#pragma once
#include <string>
#include <vector>

#include "training/adam.h"

namespace ventris::training {

/// Exponential moving average of the weights: average += (1 - d) (weights - average) after each update, with
/// d = min(decay, (1 + updates) / (10 + updates)), so that the first weights soon lose their influence. Polyak and
/// Juditsky 1992; the warm-up is that of TensorFlow's ExponentialMovingAverage.
class Ema {
 public:
  /// Starts with the current parameters. decay in (0, 1).
  Ema(const std::vector<NamedParameter>& parameters, double decay);

  /// Call after an update of the weights.
  void update();

  /// The averages, with the names and in the order of the parameters.
  const std::vector<NamedParameter>& average() const { return average_; }

  /// The state as the bytes of a safetensors file: the averages by name, and metadata "updates".
  std::string save() const;

  /// Loads a saved state. Throws ModelError if an average is missing or has another shape.
  void load(const model::Safetensors& state);

 private:
  std::vector<torch::Tensor> weights_, averages_;
  std::vector<NamedParameter> average_;  // the same tensors as averages_
  double decay_;
  int64_t updates_ = 0;
};

}  // namespace ventris::training
