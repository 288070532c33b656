#pragma once
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "model/package.h"
#include "run/checkpoint.h"
#include "run/config.h"
#include "run/kept_models.h"
#include "run/validation_score.h"

namespace ventris::run {

/// Writes the bundles of a run: best/, models/, final/ and averaged/, each with where its weights come from.
class ModelKeeper {
 public:
  /// The weights as they are now: the bytes of a safetensors file.
  using Weights = std::function<std::string()>;

  /// `package`: configuration and tokenizers; `weights` is called for each bundle.
  ModelKeeper(const RunConfig& config, RunFolder folder, model::Package package, Weights weights);

  /// The model is the best so far, by this score. If it cannot be written it stays in memory.
  void keep_best(TrainingState& state, const ValidationScore& score);

  /// Keeps the model in models/ if it is one of the few that are wanted there. `score` is of the validation, if any
  /// (not finite = none). If it cannot be written it stays in memory.
  void keep(TrainingState& state, std::optional<ValidationScore> score);

  /// Takes from the list what is no longer in models/, and says so in the log.
  void forget_lost(TrainingState& state) const;

  /// Warns if best/ is not there, damaged, or not the model that the state calls the best.
  void check_best(const TrainingState& state) const;

  /// Writes what stayed in memory. Throws WriteError if that cannot be done now either.
  void settle() { bundles_.settle(); }

  /// Writes final/. Throws WriteError.
  void write_final(const TrainingState& state) const;

  /// The mean of some models of models/, a safetensors file's bytes. Throws ModelError if one is damaged.
  std::string average(const std::vector<KeptModel>& models) const;

  /// Whether averaged/ is what the end of the run made: the mean of these models, or of as many as are wanted, some of
  /// which are gone by now. True if none are wanted.
  bool averaged(const TrainingState& state, const std::vector<KeptModel>& models) const;

  /// Writes averaged/, which is worth `value` if it was validated. Throws WriteError.
  void write_averaged(const TrainingState& state, const std::vector<KeptModel>& models, const std::string& weights,
                      std::optional<double> value) const;

 private:
  model::Package described(const TrainingState& state, nlohmann::json provenance) const;

  RunConfig config_;
  RunFolder folder_;
  model::Package package_;
  Weights weights_;
  BundleWriter bundles_;
};

}  // namespace ventris::run
