#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/package.h"
#include "run/checkpoint.h"
#include "run/config.h"

/// The models that a run leaves as bundles on its way: which ones, and how they come to disk.
namespace ventris::run {

/// Adds a model to the list of those that stay in models/: the newest `training.average_last`, and of the validated
/// ones the best `training.keep_best` (if that is over 1) or `training.average_best`, whichever is more; of equals the
/// one with the lower loss is better, then the earlier. One of the same update is replaced. Returns what is no longer
/// listed: the model itself, perhaps.
std::vector<KeptModel> add_model(std::vector<KeptModel>& models, const KeptModel& model, const RunConfig& config);

/// Those of the list whose mean becomes averaged/, in the order of updates; empty if none is wanted.
std::vector<KeptModel> models_to_average(const std::vector<KeptModel>& models, const RunConfig& config);

/// Writes bundles. One that cannot be written stays in memory until it can: a run that has met a full disk loses no
/// model to it.
class BundleWriter {
 public:
  /// Writes a bundle (`weights`: a safetensors file's bytes), or says in the log why it could not and keeps it.
  void write(const std::string& path, const model::Package& package, std::string weights);

  /// Writes what is still in memory. Throws WriteError if that cannot be done now either.
  void settle();

  /// The bundle is no longer wanted.
  void forget(const std::string& path) { unwritten_.erase(path); }

 private:
  std::map<std::string, std::pair<model::Package, std::string>> unwritten_;  // by path
};

}  // namespace ventris::run
