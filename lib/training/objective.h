#pragma once
#include <torch/torch.h>

#include "data/batches.h"
#include "nn/seq2seq.h"

namespace ventris::training {

/// What a forward pass over a batch gave, before anything is differentiated: sums over the tokens that count, in nats.
struct BatchLoss {
  torch::Tensor loss;  ///< scalar; what is differentiated
  torch::Tensor nll;   ///< scalar, without gradient: the plain negative log-likelihood
};

/// What a model learns from a batch. Used by several threads at once.
class Objective {
 public:
  virtual ~Objective() = default;

  /// `batch` is not empty. With `learn`, noise that belongs to training is drawn from nn::RandomScope::current().
  virtual BatchLoss loss(nn::Seq2SeqImpl& model, const data::Batch& batch, bool learn) const = 0;
};

/// What a forward and backward pass over some batches gave.
struct PassResult {
  double loss = 0;  ///< Objective::loss, summed over target tokens times their sentences' weights, nats
  double nll = 0;   ///< plain negative log-likelihood, summed alike, nats
  int64_t target_tokens = 0;
  double target_weight = 0;  ///< what to divide by: the tokens' weights, `target_tokens` if all are 1

  PassResult& operator+=(const PassResult& other);
};

/// Where and how a pass is computed.
struct PassOptions {
  torch::Device device = torch::kCPU;
  bool bf16 = false;  ///< autocast
};

/// Loss of one batch: forward, and backward into the parameters' gradients if `learn` (gradients are of the summed
/// loss). An empty batch gives zeros.
PassResult run_batch(const Objective& objective, nn::Seq2SeqImpl& model, const data::Batch& batch,
                     const PassOptions& options, bool learn);

/// The ids [rows, columns] of a batch as a long tensor on `device`.
torch::Tensor to_tensor(const std::vector<int32_t>& ids, int64_t rows, int64_t columns, torch::Device device);

}  // namespace ventris::training
