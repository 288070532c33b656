#pragma once
#include <memory>
#include <string>

#include "data/prefetcher.h"
#include "model/package.h"
#include "training/adam.h"
#include "run/checkpoint.h"
#include "training/ema.h"
#include "training/replicas.h"
#include "training/shared_update.h"
#include "training/task.h"

namespace ventris::training {

/// What learns: a model, the average of its weights, the optimiser, the replicas and the batches that feed them. It
/// knows nothing of folders, reports or when to stop.
class Learner {
 public:
  /// Initialised from the seed, or with `base`'s weights if it is given.
  Learner(const run::RunConfig& config, const model::Package& package, const model::Safetensors* base,
          std::shared_ptr<distributed::ProcessGroup> group);

  /// Takes weights, moments and average. Throws ModelError if something is missing.
  void load(const run::Checkpoint& checkpoint);

  /// Rank 0's weights, moments and average become those of all processes.
  void share();

  /// Makes the replicas, and their parts of the batches from this position on. `steps` says how segmentations are
  /// redrawn. Keeps a reference to the pairs.
  void start(const data::PairStore& pairs, data::StepOptions steps, data::Position position);

  /// Forward and backward passes of this process's parts of update `number` (from 0), all its batches. `next` becomes
  /// the position after them. Throws Interrupted between two batches after a stop signal, if this process is alone; the
  /// gradients are then of no use any more.
  PassResult pass(int64_t number, data::Position& next);

  /// The optimiser's part of an update whose passes, of all processes, gave this. Returns the norm of the gradient of
  /// the mean loss before clipping; changes nothing if that or the loss is not finite.
  double learn(const PassResult& pass);

  /// Of the last update.
  double learning_rate() const;

  /// What is validated and kept, in eval mode: the weights, or their average.
  const nn::Seq2Seq& evaluated() const { return evaluated_; }

  /// Bytes of safetensors files; the average is empty if none is kept.
  std::string weights() const;
  std::string moments() const { return optimizer_->save(); }
  std::string average() const { return ema_ ? ema_->save() : ""; }

  int64_t parameter_count() const;
  int replicas() const { return device_.is_cuda() ? 1 : static_cast<int>(config_.training.threads); }

 private:
  nn::Seq2Seq make() const;

  std::shared_ptr<distributed::ProcessGroup> group_;
  run::RunConfig config_;
  architecture::ArchitecturePtr architecture_;
  Task task_;
  torch::Device device_;
  nn::Seq2Seq model_;  // trains, is replica 0
  nn::Seq2Seq evaluated_;
  std::unique_ptr<Ema> ema_;  // null = none is kept
  std::unique_ptr<Adam> optimizer_;
  std::unique_ptr<Replicas> replicas_;
  std::unique_ptr<data::Prefetcher> steps_;
};

}  // namespace ventris::training
