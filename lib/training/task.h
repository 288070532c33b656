#pragma once
#include <memory>

#include "data/batches.h"
#include "run/config.h"
#include "training/objective.h"

namespace ventris::training {

/// What a run's model learns (architecture::Architecture::task): how examples become batches, and batches a loss.
struct Task {
  std::shared_ptr<const data::BatchMaker> batches;
  std::shared_ptr<const Objective> objective;
};

/// The task of a run's model with the run's settings. Throws ConfigError for a task that is not known.
Task make_task(const run::RunConfig& config);

}  // namespace ventris::training
