#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/package.h"
#include "run/checkpoint.h"
#include "settings/run_config.h"

/// The models that a run keeps as bundles during training: which ones, and how they are written.
namespace ventris::run {

/// Adds a model to the list of those that stay in models/: the newest `training.average_last`, and of the validated
/// models the best `training.keep_best` (if over 1) or `training.average_best`, whichever is more. Of equally good
/// models, the one with the lower loss is better, then the earlier one. A model of the same update is replaced. Returns
/// the models that are no longer listed, which may include the new one.
std::vector<KeptModel> add_model(std::vector<KeptModel>& models, const KeptModel& model,
                                 const settings::RunConfig& config);

/// The models of the list whose mean becomes averaged/, in the order of updates; empty if none are averaged.
std::vector<KeptModel> models_to_average(const std::vector<KeptModel>& models, const settings::RunConfig& config);

/// Writes bundles. A bundle that cannot be written stays in memory until it can, so that a full disk does not lose a
/// model.
class BundleWriter {
 public:
  /// Writes a bundle (`weights`: bytes of a safetensors file). If this fails, logs why and keeps it in memory.
  void write(const std::string& path, const model::Package& package, std::string weights);

  /// Writes all bundles that are still in memory. Throws WriteError if this fails again.
  void settle();

  /// Drops a bundle that is no longer needed.
  void forget(const std::string& path) { unwritten_.erase(path); }

 private:
  std::map<std::string, std::pair<model::Package, std::string>> unwritten_;  // by path
};

}  // namespace ventris::run
