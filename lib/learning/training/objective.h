#pragma once
#include <torch/torch.h>

#include <string>
#include <vector>

#include "data/batch_plan.h"
#include "nn/model.h"

namespace ventris::training {

/// A mean that a task measures besides its loss, such as an accuracy.
struct Measure {
  std::string name;  ///< as in metrics.jsonl
  double sum = 0;
  double count = 0;
};

/// The result of a forward pass over a batch: sums over the tokens that count, in nats.
struct BatchLoss {
  torch::Tensor loss;  ///< scalar, with gradient
  torch::Tensor nll;   ///< scalar, without gradient: the plain negative log-likelihood
  std::vector<Measure> measures = {};  ///< empty if there are none, and while learning
};

/// The loss that a model minimises. Several threads call it at the same time.
class Objective {
 public:
  virtual ~Objective() = default;

  /// `batch` must not be empty. With `learn`, random numbers of training are drawn from nn::RandomScope::current().
  virtual BatchLoss loss(nn::ModelImpl& model, const data::Batch& batch, bool learn) const = 0;
};

/// The result of forward and backward passes over some batches.
struct PassResult {
  double loss = 0;  ///< Objective::loss, summed over target tokens, times line weights, nats
  double nll = 0;   ///< plain negative log-likelihood, summed in the same way, nats
  int64_t target_tokens = 0;
  double target_weight = 0;  ///< sum of the tokens' line weights, the divisor of a mean; `target_tokens` if all are 1

  PassResult& operator+=(const PassResult& other);
};

/// The device and precision of a pass.
struct PassOptions {
  torch::Device device = torch::kCPU;
  bool bf16 = false;  ///< matrix products in bf16 (autocast)
};

/// Computes the loss of one batch and, if `learn`, adds the gradients of the summed loss to those of the parameters. An
/// empty batch gives zeros. Adds what else was measured to `measures`, if given.
PassResult run_batch(const Objective& objective, nn::ModelImpl& model, const data::Batch& batch,
                     const PassOptions& options, bool learn, std::vector<Measure>* measures = nullptr);

/// Adds the sums and counts of the same measures of other examples; `sum` may still be empty.
void add_measures(const std::vector<Measure>& measures, std::vector<Measure>& sum);

/// The ids [rows, columns] of a batch as a long tensor on `device`.
torch::Tensor to_tensor(const std::vector<int32_t>& ids, int64_t rows, int64_t columns, torch::Device device);

}  // namespace ventris::training
