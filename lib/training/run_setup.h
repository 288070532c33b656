#pragma once
#include <memory>
#include <optional>
#include <string>

#include "data/corpus.h"
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
  bool overwrite = false;                ///< an older run there is to be replaced
  std::optional<Checkpoint> checkpoint;  ///< to go on from
};

/// Looks into the run folder and changes nothing but half-written files. Throws ConfigError if the run there was begun
/// with settings that cannot change, or if the folder holds a model that is not to be replaced; ModelError if its
/// checkpoints are all damaged.
OpenedRun open_run(const RunConfig& config, const RunOptions& options);

/// Call when nothing can go wrong any more: removes an older run that is to be replaced, and writes the settings.
void begin_run(const RunConfig& config, const OpenedRun& run);

/// The tokenizers of a run.
struct Tokenizers {
  text::Tokenizer source;
  text::Tokenizer target;
};

/// Taken from the checkpoint if the run is going on, else from the settings' files, else learnt from the training
/// corpus. Throws ConfigError if the settings name another tokenizer than the run was begun with.
Tokenizers prepare_tokenizers(const RunConfig& config, const OpenedRun& run);

/// Configuration and tokenizers of the run's bundles.
model::Package package_of(const RunConfig& config, const Tokenizers& tokenizers);

}  // namespace ventris::training
