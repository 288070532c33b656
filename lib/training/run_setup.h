#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/pair_store.h"
#include "model/package.h"
#include "text/tokenizer.h"
#include "training/checkpoint.h"
#include "training/config.h"
#include "training/trainer.h"

/// Prepares a run before its first update: its folder, its checkpoint if there is one, tokenizers, data.
namespace ventris::training {

/// A run folder and its content from earlier starts.
struct OpenedRun {
  RunFolder folder;
  bool begun = false;  ///< it has a run that is not replaced, which may have been killed before it saved
  std::optional<Checkpoint> checkpoint;  ///< from which to resume
  std::optional<model::Bundle> base;  ///< with whose weights and tokenizers a new run starts (finetune_from)
  std::vector<std::string> changes;  ///< settings that differ from those at the start of the run, with both values
};

/// Creates the run folder if it is missing, and returns its path. Throws WriteError.
const std::string& make_folder(const std::string& path);

/// Reads the run folder without changing it. Throws ConfigError if settings differ that cannot change in a resumed run,
/// if the folder has a model that must not be replaced, if the settings do not fit
/// the bundle that a new run starts from, or if that bundle belongs to the run to be replaced; ModelError if
/// all checkpoints or that bundle are damaged; UnreadableError if the checkpoint has settings that this version
/// does not know.
OpenedRun look_at_run(const RunConfig& config, const RunOptions& options);

/// The same, but first removes unfinished files.
OpenedRun open_run(const RunConfig& config, const RunOptions& options);

/// Call after all checks: removes an older run that will be replaced, or models/ entries of a killed save, and writes
/// the settings.
void begin_run(const RunConfig& config, const OpenedRun& run);

/// The tokenizers of a run.
struct Tokenizers {
  text::Tokenizer source;
  text::Tokenizer target;
};

/// Takes the tokenizers from the checkpoint if the run is resumed, else from the bundle it starts from, else from the
/// files in the settings, else learns them from the training corpus. Throws ConfigError if the settings name another
/// tokenizer than that of the run.
Tokenizers prepare_tokenizers(const RunConfig& config, const OpenedRun& run);

/// The conditions besides settings on which the weights of a run depend, as JSON text: processes, threads per process,
/// device, instruction set, corpus, order of its batches, versions of Ventris, LibTorch and SentencePiece.
std::string conditions(const RunConfig& config, const data::PairStore& pairs, int processes);

/// Compares them with those of the checkpoint. Throws ConfigError if the corpus differs; logs a warning for other
/// differences.
void check_conditions(const Checkpoint& checkpoint, const std::string& now);

/// The configuration and tokenizers of the run's bundles.
model::Package package_of(const RunConfig& config, const Tokenizers& tokenizers);

}  // namespace ventris::training
