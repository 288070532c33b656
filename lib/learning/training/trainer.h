#pragma once
#include "run/run_options.h"
#include "settings/run_config.h"

namespace ventris::training {

/// Trains a model from raw text and writes the bundles best/ and final/ in the run folder. If the folder has a run,
/// resumes from its newest intact checkpoint and ends with the same bytes as an uninterrupted run (on a CPU, with the
/// same thread count, for lengths in epochs, updates or tokens; minutes depend on the clock). Throws ConfigError,
/// DataError, ModelError, WriteError, DivergedError, PeerError, and Interrupted after a signal (in training, after
/// saving a checkpoint).
void train(const settings::RunConfig& config, const run::RunOptions& options);

}  // namespace ventris::training
