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

/// A run folder made ready, with what an earlier sitting left in it.
struct OpenedRun {
  RunFolder folder;
  std::optional<Checkpoint> checkpoint;  ///< to go on from
};

/// Makes or opens the run folder; with `overwrite`, removes an older run's files (and only those). Throws ConfigError if the
/// run there was begun with settings that cannot change.
OpenedRun open_run(const RunConfig& config, const RunOptions& options);

/// The tokenizers of a run.
struct Tokenizers {
  text::Tokenizer source;
  text::Tokenizer target;
};

/// Taken from the run folder if it is going on, else from the settings' files, else learnt from the training corpus; written
/// to the run folder.
Tokenizers prepare_tokenizers(const RunConfig& config, const OpenedRun& run);

/// Configuration and tokenizers of the run's bundles.
model::Package package_of(const RunConfig& config, const Tokenizers& tokenizers);

}  // namespace ventris::training
