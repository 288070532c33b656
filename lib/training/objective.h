#pragma once
#include <torch/torch.h>

#include "data/batches.h"
#include "nn/seq2seq.h"

namespace ventris::training {

/// The result of a forward pass over a batch: sums over the tokens that count, in nats.
struct BatchLoss {
  torch::Tensor loss;  ///< scalar, with gradient
  torch::Tensor nll;   ///< scalar, without gradient: the plain negative log-likelihood
};

/// The loss that a model minimises. Several threads call it at the same time.
class Objective {
 public:
  virtual ~Objective() = default;

  /// `batch` must not be empty. With `learn`, random numbers of training are drawn from nn::RandomScope::current().
  virtual BatchLoss loss(nn::Seq2SeqImpl& model, const data::Batch& batch, bool learn) const = 0;
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
  bool bf16 = false;  ///< autocast
};

/// Computes the loss of one batch and, if `learn`, adds the gradients of the summed loss to those of the parameters. An
/// empty batch gives zeros.
PassResult run_batch(const Objective& objective, nn::Seq2SeqImpl& model, const data::Batch& batch,
                     const PassOptions& options, bool learn);

/// The ids [rows, columns] of a batch as a long tensor on `device`.
torch::Tensor to_tensor(const std::vector<int32_t>& ids, int64_t rows, int64_t columns, torch::Device device);

}  // namespace ventris::training
