#pragma once
#include <memory>
#include <string>

#include "training/config.h"

namespace ventris::training {

/// The folder of a run, and how to treat an existing run in it.
struct RunOptions {
  std::string folder;      ///< the run folder; created if it is missing
  bool overwrite = false;  ///< start a new run if there is already one
};

/// Trains a model from raw text and writes the bundles best/ and final/ in the run folder. If the folder has a run,
/// resumes from its newest intact checkpoint and ends with the same bytes as an uninterrupted run (on a CPU, with the
/// same thread count, for lengths in epochs, updates or tokens; minutes depend on the clock). Throws ConfigError,
/// DataError, ModelError, WriteError, DivergedError, PeerError, and Interrupted after a signal (in training, after
/// saving a checkpoint).
void train(const RunConfig& config, const RunOptions& options);

}  // namespace ventris::training
