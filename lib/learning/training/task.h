#pragma once
#include <functional>
#include <memory>
#include <string>

#include "data/batch_plan.h"
#include "model/package.h"
#include "settings/run_config.h"
#include "training/objective.h"

namespace ventris::training {

/// What a model learns (architecture::Architecture::task): how to make batches from examples, and a loss from batches.
struct Task {
  std::shared_ptr<const data::BatchMaker> batches;
  std::shared_ptr<const Objective> objective;
  /// A sentence for the log about what the objective cannot learn of a training corpus; may be missing or return "".
  std::function<std::string(const data::PairStore& pairs)> remark = {};
};

/// Makes a task from the settings of a run, and from its model, which has the tokenizers.
using TaskMaker = std::function<Task(const settings::RunConfig& config, const model::Package& package)>;

/// The task of a run's model with the settings of the run. Throws ConfigError for an unknown task, or for settings that
/// the task does not have.
Task make_task(const settings::RunConfig& config, const model::Package& package);

/// Adds a task to the table of this program. Throws std::logic_error if the name is taken.
void add_task(const std::string& name, TaskMaker maker);

/// Adds a task when the program starts. The file of the task has a global variable of this type.
struct AddedTask {
  AddedTask(const std::string& name, TaskMaker maker) { add_task(name, std::move(maker)); }
};

}  // namespace ventris::training
