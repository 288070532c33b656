#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "data/batches.h"
#include "model/safetensors.h"
#include "run/period.h"
#include "run/report_sums.h"
#include "run/run_folder.h"

namespace ventris::run {

/// A model that was kept as a bundle in models/.
struct KeptModel {
  int64_t updates = 0;
  std::optional<double> value = {};  ///< of the validation's metric; nothing if there was none, or no finite one
  std::optional<double> loss = {};   ///< of the validation, nats a target token; nothing if it is not known

  friend bool operator==(const KeptModel&, const KeptModel&) = default;
};

/// What a run must remember besides weights and moments. Random numbers need no state: they are functions of
/// (seed, update, replica).
struct TrainingState {
  RunProgress progress;
  RunProgress handled;               ///< up to where reports, validations and saves have been seen to
  data::Position position;           ///< the next batch
  int64_t validations = 0;
  int64_t last_validated = 0;        ///< update of the last validation
  bool validation_due = false;       ///< a validation at this update was cut short by a signal
  int64_t stalled = 0;               ///< validations without a better value
  std::optional<double> best;        ///< best value of the metric so far
  std::optional<double> best_loss;   ///< validation loss of that model, nats a target token; nothing if not known
  int64_t best_updates = 0;          ///< update of that validation; 0 = not known
  std::string validation_corpus;     ///< its size and checksum; empty = none, or not known
  int64_t bad_updates = 0;           ///< non-finite updates skipped in all
  int64_t bad_in_a_row = 0;
  bool finished = false;             ///< the whole length is done, final/ is written
  ReportSums sums;                   ///< updates not reported yet
  std::vector<KeptModel> models;     ///< what models/ holds, in the order of updates
};

/// A state as JSON text and back, every number to its last bit. Throws ModelError naming `where` it is from if the text
/// is no state.
std::string state_text(const TrainingState& state);
TrainingState parse_state_text(const std::string& text, const std::string& where);

/// What goes into a checkpoint. It needs nothing beside it: the tokenizers are in it too.
struct CheckpointContent {
  TrainingState state;
  std::string config;                  ///< JSON text of the run's settings
  std::string environment;             ///< JSON text: processes, threads, LibTorch, instruction set, corpus
  std::string weights, optimizer;      ///< bytes of safetensors files
  std::string source_spm, target_spm;  ///< serialised tokenizers; target_spm is empty if the source's serves both sides
  std::string ema = {};  ///< bytes of a safetensors file; empty if the run keeps no average
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

/// Writes checkpoints/step-NNNNNNNN and points `latest` at it. Then removes all but the newest `keep` of those up to
/// it, and those of later updates: a run that saves an earlier one has passed them over as damaged; and the models of
/// updates up to it that its state does not list. Throws WriteError; other checkpoints are then untouched.
void save_checkpoint(const RunFolder& run, const CheckpointContent& content, int64_t keep);

/// Removes the models of updates up to this state's that it does not list: of a save that was killed before it did.
void prune_models(const RunFolder& run, const TrainingState& state);

/// The newest checkpoint whose every file is whole, or nothing if there is none. One that is damaged is named in the
/// log and passed over. Throws ModelError if there are checkpoints but all are damaged; UnreadableError if the newest
/// may be whole but cannot be read (permissions, memory, a newer version's): to go on from an older one would lose it.
std::optional<Checkpoint> load_newest_checkpoint(const RunFolder& run);

}  // namespace ventris::run
