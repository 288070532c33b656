#pragma once
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "model/package.h"
#include "run/checkpoint.h"
#include "run/kept_models.h"
#include "run/validation_score.h"
#include "settings/run_config.h"

namespace ventris::run {

/// Writes the bundles of a run: best/, models/, final/ and averaged/, each with its provenance.
class ModelKeeper {
 public:
  /// The weights as they are now: the bytes of a safetensors file.
  using Weights = std::function<std::string()>;

  /// `package`: configuration and tokenizers; `weights` is called for each bundle.
  ModelKeeper(const settings::RunConfig& config, RunFolder folder, model::Package package, Weights weights);

  /// Keeps the model in best/, with this score. If it cannot be written, it stays in memory.
  void keep_best(TrainingState& state, const ValidationScore& score);

  /// Keeps the model in models/ if it belongs there (kept_models.h). `score` is that of the validation; not finite =
  /// none. If the model cannot be written, it stays in memory.
  void keep(TrainingState& state, std::optional<ValidationScore> score);

  /// Removes models from the list that are no longer in models/, and logs this.
  void forget_lost(TrainingState& state) const;

  /// Warns if best/ is missing, damaged, or not the best model according to the state.
  void check_best(const TrainingState& state) const;

  /// Writes the models that stayed in memory. Throws WriteError if this fails again.
  void settle() { bundles_.settle(); }

  /// Writes final/. Throws WriteError.
  void write_final(const TrainingState& state) const;

  /// The mean of some models in models/, as the bytes of a safetensors file. Throws ModelError if one is damaged.
  std::string average(const std::vector<KeptModel>& models) const;

  /// Whether averaged/ is the result of the end of the run: the mean of these models, or of as many as requested if
  /// some of them are gone by now. True if no average is requested.
  bool averaged(const TrainingState& state, const std::vector<KeptModel>& models) const;

  /// Writes averaged/; `value` is its validation value, if it was validated. Throws WriteError.
  void write_averaged(const TrainingState& state, const std::vector<KeptModel>& models, const std::string& weights,
                      std::optional<double> value) const;

 private:
  model::Package described(const TrainingState& state, nlohmann::json provenance) const;

  settings::RunConfig config_;
  RunFolder folder_;
  model::Package package_;
  Weights weights_;
  BundleWriter bundles_;
};

}  // namespace ventris::run
