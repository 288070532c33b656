#pragma once
#include <memory>

#include "data/batches.h"
#include "run/config.h"
#include "training/objective.h"

namespace ventris::training {

/// What a model learns (architecture::Architecture::task): how to make batches from examples, and a loss from batches.
struct Task {
  std::shared_ptr<const data::BatchMaker> batches;
  std::shared_ptr<const Objective> objective;
};

/// The task of a run's model with the settings of the run. Throws ConfigError for an unknown task.
Task make_task(const run::RunConfig& config);

}  // namespace ventris::training
