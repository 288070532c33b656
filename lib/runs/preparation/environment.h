#pragma once
#include <string>

#include "data/pair_store.h"
#include "run/checkpoint.h"
#include "settings/run_config.h"

namespace ventris::preparation {

/// The conditions besides settings on which the weights of a run depend, as JSON text: processes, threads per process,
/// device, instruction set, corpus, order of its batches, versions of Ventris, LibTorch and SentencePiece.
/// `libtorch` is its version.
std::string environment_of(const settings::TrainingConfig& training, const data::PairStore& pairs, int processes,
                           const std::string& libtorch);

/// Compares the environment `text` with that of the checkpoint. Throws ConfigError if the corpus differs; logs a
/// warning for other differences.
void check_environment(const run::Checkpoint& checkpoint, const std::string& text);

}  // namespace ventris::preparation
