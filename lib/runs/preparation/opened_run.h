#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/package.h"
#include "run/checkpoint.h"
#include "run/run_options.h"
#include "settings/run_config.h"

namespace ventris::preparation {

/// A run folder and its content from earlier starts.
struct OpenedRun {
  run::RunFolder folder;
  bool begun = false;  ///< the folder has a run that will be continued; it may have no checkpoint yet
  std::optional<run::Checkpoint> checkpoint;  ///< from which to resume
  std::optional<model::Bundle> base;  ///< with whose weights (weights_with_layers) a new run starts (finetune_from)
  std::optional<model::Bundle> encoder;  ///< the BERT with which the encoder of a new run starts (encoder_from)
  std::optional<settings::RunConfig> begun_with;  ///< settings of the run that is resumed
  std::vector<std::string> changes;  ///< settings that differ from those at the start of the run, with both values
  std::vector<std::string> warnings;  ///< what a new run does not take from `base` (lost_with)
};

/// Creates the run folder if it is missing, and returns its path. Throws WriteError.
const std::string& make_folder(const std::string& path);

/// Reads the run folder without changing it. Throws ConfigError if settings differ that cannot change in a resumed run,
/// if the folder has a model that must not be replaced, if the settings do not fit a bundle that a new run starts from,
/// or if that bundle belongs to the run to be replaced; ModelError if all checkpoints or that bundle are damaged;
/// DataError if a file of vectors cannot be read; UnreadableError if the checkpoint has settings that this version does
/// not know.
OpenedRun look_at_run(const settings::RunConfig& config, const run::RunOptions& options);

/// As look_at_run, but first removes unfinished files.
OpenedRun open_run(const settings::RunConfig& config, const run::RunOptions& options);

/// Call after all checks: removes an older run that will be replaced, or models/ entries of a killed save, and writes
/// the settings.
void begin_run(const settings::RunConfig& config, const OpenedRun& run);

}  // namespace ventris::preparation
