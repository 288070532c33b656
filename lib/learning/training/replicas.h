#pragma once
#include <torch/torch.h>

#include <functional>
#include <memory>
#include <vector>

#include "data/prefetcher.h"
#include "distributed/gradient_buckets.h"
#include "distributed/process_group.h"
#include "nn/model.h"
#include "training/adam.h"
#include "training/objective.h"

namespace ventris::training {

/// Whether more passes of the same sum of gradients follow.
enum class Pass { kMoreFollow, kLast };

/// Gives the parameters `to` the memory of `from`, without a copy. Both are in the same order.
void share_parameters(const std::vector<NamedParameter>& from, const std::vector<NamedParameter>& to);

/// Copies of a model that share the memory of its weights but have their own gradients. Each runs on its own thread
/// with one intra-op thread. Gradients are summed in the order of the replicas, then over processes. So the same
/// numbers of both always give the same bits, and two replicas give the same in one process or in two.
class Replicas {
 public:
  /// Makes `count` replicas of `model`, which minimise `objective`; `make` builds a module of the same shape. Every
  /// process of the group must have the same number. The group must outlive this object. Several processes sum buckets
  /// of `bucket_bytes` (0 = the default of GradientBuckets).
  Replicas(nn::Model model, int count, const std::function<nn::Model()>& make,
           std::shared_ptr<const Objective> objective, const PassOptions& options,
           std::shared_ptr<distributed::ProcessGroup> group = std::make_shared<distributed::SingleProcess>(),
           int64_t bucket_bytes = 0);
  ~Replicas();
  Replicas(const Replicas&) = delete;
  Replicas& operator=(const Replicas&) = delete;

  /// Runs forward and backward passes of part i on replica i, all at the same time. Dropout of part i is a function of
  /// (seed, number of parts of lower ranks + i). Gradients are added to those of earlier calls until take_gradients().
  /// In the last pass before it, several processes begin to sum gradients during the backward pass. Returns the result
  /// of this process's parts. Rethrows the first exception of a replica.
  PassResult run(const std::vector<data::Batch>& parts, uint64_t seed, Pass pass = Pass::kLast);

  /// Returns the gradients, summed over replicas and processes, times `scale`: one for each of
  /// distinct_named_parameters(model), zero if there is none. With several processes, valid until the next run().
  std::vector<torch::Tensor> take_gradients(double scale);

 private:
  struct Worker;
  void start_sums();
  torch::Tensor take_gradient(size_t parameter);

  std::shared_ptr<distributed::ProcessGroup> group_;
  std::unique_ptr<distributed::GradientBuckets> buckets_;  // null = only one process
  std::vector<std::unique_ptr<distributed::ProcessGroup::Sum>> sums_;
  std::shared_ptr<const Objective> objective_;
  std::vector<std::unique_ptr<Worker>> workers_;
  PassOptions options_;
};

}  // namespace ventris::training
