#pragma once
#include <nlohmann/json_fwd.hpp>

#include "run/config.h"
#include "run/options.h"

namespace ventris::doctor {

/// What a run with these settings would be, found out by doing a little of it: reads the corpora, learns the tokenizers
/// if there are none, and does some updates on real batches. Nothing is written to disk, no run folder is made, and a
/// corpus cache is not built; a sample of the pairs is in memory.
///
/// Returns "run" (folder, the update it goes on from), "corpora", "tokenizers", "model", "measured", "expected"
/// (updates and seconds of an epoch and of the whole run, without validations and saves; memory of the process in MiB),
/// "disk" (bytes of a checkpoint, of a bundle, of all that the run keeps, and free ones) and "warnings", a sentence
/// each. Throws as train() does where the run would not start, and ConfigError for what cannot be looked at beforehand:
/// standard input, several processes.
nlohmann::ordered_json diagnose(const run::RunConfig& config, const run::RunOptions& options);

}  // namespace ventris::doctor
