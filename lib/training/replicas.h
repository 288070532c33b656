#pragma once
#include <torch/torch.h>

#include <functional>
#include <memory>
#include <vector>

#include "data/prefetcher.h"
#include "nn/transformer.h"
#include "training/adam.h"

namespace ventris::training {

/// What a forward and backward pass over some batches gave.
struct PassResult {
  double loss = 0;  ///< label-smoothed loss, summed over target tokens times their sentences' weights, nats
  double nll = 0;   ///< plain negative log-likelihood, summed alike, nats
  int64_t target_tokens = 0;
  double target_weight = 0;  ///< what to divide by: the tokens' weights, `target_tokens` if all are 1
};

/// Settings of a pass.
struct PassOptions {
  double label_smoothing = 0.1;
  int64_t pad = 0;
  double word_dropout = 0;    ///< while learning, chance of an input token to be read as unk
  double r_drop = 0;          ///< while learning, weight of the divergence between two passes; 0 = one pass
  int64_t unk = 1;
  bool bf16 = false;          ///< autocast
  torch::Device device = torch::kCPU;
};

/// Loss of one batch: forward, and backward into the parameters' gradients if `learn` (gradients are of the summed
/// loss).
PassResult run_batch(nn::EncoderDecoder& model, const data::Batch& batch, const PassOptions& options, bool learn);

/// Copies of a model that share its weights' memory but have gradients of their own; each works in a thread of its own
/// with one intra-op thread. Gradients are summed in the order of the replicas, so a thread count gives the same bits
/// every time.
class Replicas {
 public:
  /// Makes `count` replicas of `model`; `make` builds a module of the same shape.
  Replicas(nn::EncoderDecoder model, int count, const std::function<nn::EncoderDecoder()>& make,
           const PassOptions& options);
  ~Replicas();
  Replicas(const Replicas&) = delete;
  Replicas& operator=(const Replicas&) = delete;

  /// Forward and backward of part i on replica i, all at once; dropout of part i is decided by (seed, i). Gradients add
  /// to those of earlier calls until take_gradients() takes them. Rethrows the first exception of a replica.
  PassResult run(const std::vector<data::Batch>& parts, uint64_t seed);

  /// Takes the summed gradients, one for each of distinct_named_parameters(model) (zeros where none arose), times
  /// `scale`.
  std::vector<torch::Tensor> take_gradients(double scale);

 private:
  struct Worker;
  std::vector<std::unique_ptr<Worker>> workers_;
  PassOptions options_;
};

}  // namespace ventris::training
