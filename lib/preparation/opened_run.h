#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/package.h"
#include "run/checkpoint.h"
#include "run/config.h"
#include "run/options.h"

namespace ventris::preparation {

/// A run folder and what an earlier sitting left in it.
struct OpenedRun {
  run::RunFolder folder;
  bool begun = false;  ///< a run there is not to be replaced; it may have been killed before it saved
  std::optional<run::Checkpoint> checkpoint;  ///< to go on from
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
OpenedRun look_at_run(const run::RunConfig& config, const run::RunOptions& options);

/// The same, after removing half-written files.
OpenedRun open_run(const run::RunConfig& config, const run::RunOptions& options);

/// Call when nothing can go wrong any more: removes an older run that is to be replaced, or what a killed save has left
/// in models/, and writes the settings.
void begin_run(const run::RunConfig& config, const OpenedRun& run);

}  // namespace ventris::preparation
