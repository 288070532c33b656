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

/// What a run needs before its first update: its folder, its checkpoint if there is one, tokenizers, data.
namespace ventris::training {

/// A run folder and what an earlier sitting left in it.
struct OpenedRun {
  RunFolder folder;
  bool begun = false;  ///< a run there is not to be replaced; it may have been killed before it saved
  std::optional<Checkpoint> checkpoint;  ///< to go on from
  std::optional<model::Bundle> base;  ///< whose weights and tokenizers a new run starts with (finetune_from)
  std::vector<std::string> changes;  ///< settings that are not as the run was begun, each with both values
};

/// Makes the run folder if it is missing, and returns its path. Throws WriteError.
const std::string& make_folder(const std::string& path);

/// Looks into the run folder, and changes nothing. Throws ConfigError if the run there was begun
/// with settings that cannot change, if the folder holds a model that is not to be replaced, if the settings do not fit
/// the bundle that a new run starts from, or if that bundle is of the run to be replaced; ModelError if
/// its checkpoints are all damaged, or that bundle is; UnreadableError if the checkpoint has settings that this version
/// does not know.
OpenedRun look_at_run(const RunConfig& config, const RunOptions& options);

/// The same, after removing half-written files.
OpenedRun open_run(const RunConfig& config, const RunOptions& options);

/// Call when nothing can go wrong any more: removes an older run that is to be replaced, or what a killed save has left
/// in models/, and writes the settings.
void begin_run(const RunConfig& config, const OpenedRun& run);

/// The tokenizers of a run.
struct Tokenizers {
  text::Tokenizer source;
  text::Tokenizer target;
};

/// Taken from the checkpoint if the run is going on, else from the bundle it starts from, else from the settings'
/// files, else learnt from the training corpus. Throws ConfigError if the settings name another tokenizer than the run
/// was begun with.
Tokenizers prepare_tokenizers(const RunConfig& config, const OpenedRun& run);

/// What the weights of a run depend on besides its settings, as JSON text: processes, threads of each, device,
/// instruction set, corpus, the order of its batches, versions of Ventris, LibTorch and SentencePiece.
std::string conditions(const RunConfig& config, const data::PairStore& pairs, int processes);

/// Compares them with those of the checkpoint. Throws ConfigError if the corpus is another one; other differences are a
/// warning in the log.
void check_conditions(const Checkpoint& checkpoint, const std::string& now);

/// Configuration and tokenizers of the run's bundles.
model::Package package_of(const RunConfig& config, const Tokenizers& tokenizers);

}  // namespace ventris::training
