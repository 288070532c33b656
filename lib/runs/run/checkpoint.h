#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "data/batch_plan.h"
#include "model/safetensors.h"
#include "run/report_sums.h"
#include "run/run_folder.h"
#include "settings/period.h"

namespace ventris::run {

/// A model that is kept as a bundle in models/.
struct KeptModel {
  int64_t updates = 0;
  std::optional<double> value = {};  ///< of the validation's metric; empty if there was none, or it was not finite
  std::optional<double> loss = {};   ///< of the validation, nats per target token; empty = not known

  friend bool operator==(const KeptModel&, const KeptModel&) = default;
};

/// The state of a run besides weights and moments. Random numbers need no state, because they are functions of
/// (seed, update, replica).
struct TrainingState {
  settings::RunProgress progress;
  settings::RunProgress handled;               ///< progress up to which reports, validations and saves are done
  data::Position position;           ///< the next batch
  int64_t validations = 0;
  int64_t last_validated = 0;        ///< update of the last validation
  bool validation_due = false;       ///< a validation at this update was interrupted by a signal
  int64_t stalled = 0;               ///< validations without a better value
  std::optional<double> best;        ///< best value of the metric so far
  std::optional<double> best_loss;   ///< validation loss of that model, nats per target token; empty = not known
  std::optional<int64_t> best_updates;  ///< update of that validation, 0 = before the first one; empty = not known
  std::string validation_corpus;     ///< its size and checksum; empty = none or not known
  int64_t bad_updates = 0;           ///< number of skipped updates that were not finite
  int64_t bad_in_a_row = 0;  ///< updates that were skipped since the last good one
  bool finished = false;             ///< the run has reached its length, and final/ is written
  ReportSums sums;                   ///< sums of updates that were not reported yet
  std::vector<KeptModel> models;     ///< content of models/, in the order of updates
};

/// Converts a state to JSON text and back, exact to the last bit of every number. Throws ModelError, beginning with
/// `where`, if the text is not a state.
std::string state_text(const TrainingState& state);
TrainingState parse_state_text(const std::string& text, const std::string& where);

/// The content of a checkpoint. It is self-contained and includes the tokenizers.
struct CheckpointContent {
  TrainingState state;
  std::string config;                  ///< settings of the run, as JSON text
  std::string environment;             ///< processes, threads, LibTorch, instruction set and corpus, as JSON text
  std::string weights, optimizer;      ///< bytes of safetensors files
  std::string source_spm, target_spm;  ///< serialised tokenizers; target_spm is empty if both sides share one
  std::string ema = {};  ///< bytes of a safetensors file; empty = the run has no moving average
};

/// A loaded checkpoint.
struct Checkpoint {
  std::string path;
  TrainingState state;
  std::string config, environment;
  model::Safetensors weights;
  model::Safetensors optimizer;
  std::string source_spm, target_spm;
  std::optional<model::Safetensors> ema;
};

/// Writes checkpoints/step-NNNNNNNN and lets `latest` point to it. Then removes all but the newest `keep` checkpoints
/// up to this one; those of later updates, which the run must have skipped as damaged; and models of updates up to this
/// one that its state does not list. Throws WriteError; other checkpoints then stay as they were.
void save_checkpoint(const RunFolder& run, const CheckpointContent& content, int64_t keep);

/// Removes models of updates up to this state's that it does not list. A killed save may have left them.
void prune_models(const RunFolder& run, const TrainingState& state);

/// The newest checkpoint in which every file is intact; empty if there are none. Skips damaged ones with a line in the
/// log. Throws ModelError if all checkpoints are damaged, and UnreadableError if the newest may be intact but cannot be
/// read (permissions, memory, a newer version), because resuming from an older one would lose it.
std::optional<Checkpoint> load_newest_checkpoint(const RunFolder& run);

}  // namespace ventris::run
