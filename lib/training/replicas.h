#pragma once
#include <torch/torch.h>

#include <functional>
#include <memory>
#include <vector>

#include "data/prefetcher.h"
#include "nn/seq2seq.h"
#include "training/adam.h"
#include "distributed/gradient_buckets.h"
#include "training/objective.h"
#include "distributed/process_group.h"

namespace ventris::training {

/// Whether more passes follow whose gradients belong to the same sum.
enum class Pass { kMoreFollow, kLast };

/// Gives the parameters `to` the memory of `from`, without a copy. Both are in the same order.
void share_parameters(const std::vector<NamedParameter>& from, const std::vector<NamedParameter>& to);

/// Copies of a model that share its weights' memory but have gradients of their own; each works in a thread of its own
/// with one intra-op thread. Gradients are summed in the order of the replicas, then over the processes of the run, so
/// the same numbers of both give the same bits every time, and two replicas give the same in one process or in two.
class Replicas {
 public:
  /// Makes `count` replicas of `model`, which learn `objective`; `make` builds a module of the same shape. Every
  /// process of the group has as many. The group must outlive this. The sums of several processes go in buckets of
  /// `bucket_bytes` (0 = as GradientBuckets chooses).
  Replicas(nn::Seq2Seq model, int count, const std::function<nn::Seq2Seq()>& make,
           std::shared_ptr<const Objective> objective, const PassOptions& options,
           std::shared_ptr<distributed::ProcessGroup> group = std::make_shared<distributed::SingleProcess>(),
           int64_t bucket_bytes = 0);
  ~Replicas();
  Replicas(const Replicas&) = delete;
  Replicas& operator=(const Replicas&) = delete;

  /// Forward and backward of part i on replica i, all at once; dropout of part i is decided by (seed, how many parts
  /// the processes of lower rank have + i). Gradients add to those of earlier calls until take_gradients() takes them;
  /// in the last pass before that, several processes begin to sum them while the backward pass is at work. The result
  /// is that of this process's parts. Rethrows the first exception of a replica.
  PassResult run(const std::vector<data::Batch>& parts, uint64_t seed, Pass pass = Pass::kLast);

  /// Takes the gradients summed over replicas and processes, one for each of distinct_named_parameters(model) (zeros
  /// where none arose), times `scale`. With several processes they are valid until the next run().
  std::vector<torch::Tensor> take_gradients(double scale);

 private:
  struct Worker;
  void start_sums();
  torch::Tensor take_gradient(size_t parameter);

  std::shared_ptr<distributed::ProcessGroup> group_;
  std::unique_ptr<distributed::GradientBuckets> buckets_;  // null = there is one process
  std::vector<std::unique_ptr<distributed::ProcessGroup::Sum>> sums_;
  std::shared_ptr<const Objective> objective_;
  std::vector<std::unique_ptr<Worker>> workers_;
  PassOptions options_;
};

}  // namespace ventris::training
