#pragma once
#include "run/config.h"
#include "run/options.h"

namespace ventris::training {

/// Trains a model: from raw text to best/ and final/ bundles in the run folder. Called again on a folder with a run in
/// it, goes on from its newest whole checkpoint and ends with the very bytes of a run that was never stopped (on a CPU,
/// with the same thread count, for lengths in epochs, updates or tokens: minutes end by the clock). Throws ConfigError,
/// DataError, ModelError, WriteError, DivergedError, PeerError, and Interrupted on a signal: once training has begun
/// after a checkpoint was saved.
void train(const run::RunConfig& config, const run::RunOptions& options);

}  // namespace ventris::training
