#pragma once
#include <memory>
#include <optional>
#include <string>

#include "data/prefetcher.h"
#include "model/package.h"
#include "run/checkpoint.h"
#include "training/adam.h"
#include "training/ema.h"
#include "training/initial_weights.h"
#include "training/replicas.h"
#include "training/shared_update.h"
#include "training/task.h"

namespace ventris::training {

/// A model with the moving average of its weights, the optimizer, the replicas and their batches. It does not deal with
/// folders, reports or the end of the run.
class Learner {
 public:
  /// Initialises the weights from the seed, and with those of `initial`. Without `initial`, the weights stay as the
  /// module's constructor sets them, and load() or share() must follow.
  Learner(const settings::RunConfig& config, const model::Package& package,
          const std::optional<InitialWeights>& initial, std::shared_ptr<distributed::ProcessGroup> group);

  /// Loads weights, moments and average. Throws ModelError if something is missing.
  void load(const run::Checkpoint& checkpoint);

  /// Copies the weights, moments and average of rank 0 to all processes.
  void share();

  /// Makes the replicas and begins to prepare their parts of the batches from this position on. `steps` has the
  /// settings of subword sampling. Keeps a reference to the pairs.
  void start(const data::PairStore& pairs, data::StepOptions steps, data::Position position);

  /// Instead of start(), for measurements: runs the passes of a batch with these pairs, which may repeat, and forgets
  /// their gradients. With training.accumulate over 1, it does so twice and keeps the first gradients during the second
  /// passes. `steps` may have a sampler; other changes of pairs are not made.
  void try_batch(const data::PairStore& pairs, const data::StepOptions& steps, const std::vector<uint32_t>& numbers);

  /// Runs the forward and backward passes of this process's parts of all batches of update `number` (from 0). `next`
  /// gets the position after them. After a stop signal, throws Interrupted between two batches if there is only one
  /// process; the gradients are then unusable.
  PassResult pass(int64_t number, data::Position& next);

  /// Runs the optimizer's step; the argument is the result of the passes of all processes. Returns the norm of the
  /// gradient of the mean loss before clipping. Changes nothing if this or the loss is not finite.
  double learn(const PassResult& pass);

  /// The learning rate of the last update.
  double learning_rate() const;

  /// The model that is validated and kept, in eval mode, with the weights or their moving average.
  const nn::Model& evaluated() const { return evaluated_; }

  /// Bytes of safetensors files; the average is empty if there is none.
  std::string weights() const;
  std::string moments() const { return optimizer_->save(); }
  std::string average() const { return ema_ ? ema_->save() : ""; }

  int64_t parameter_count() const;
  /// What the task says of this corpus (Task::remark); empty = nothing.
  std::string remark(const data::PairStore& pairs) const { return task_.remark ? task_.remark(pairs) : ""; }
  int replicas() const { return device_.is_cuda() ? 1 : static_cast<int>(config_.training.threads); }

 private:
  nn::Model make() const;
  void make_replicas();

  std::shared_ptr<distributed::ProcessGroup> group_;
  settings::RunConfig config_;
  architecture::ArchitecturePtr architecture_;
  Task task_;
  torch::Device device_;
  nn::Model model_;  // trains, is replica 0
  nn::Model evaluated_;
  std::unique_ptr<Ema> ema_;  // null = none is kept
  std::unique_ptr<Adam> optimizer_;
  std::unique_ptr<Replicas> replicas_;
  std::unique_ptr<data::Prefetcher> steps_;
};

}  // namespace ventris::training
