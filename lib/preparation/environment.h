#pragma once
#include <string>

#include "data/pair_store.h"
#include "run/checkpoint.h"
#include "run/config.h"

namespace ventris::preparation {

/// What the weights of a run depend on besides its settings, as JSON text: processes, threads of each, device,
/// instruction set, corpus, the order of its batches, versions of Ventris, LibTorch and SentencePiece.
/// `libtorch` is its version.
std::string environment_of(const run::RunConfig& config, const data::PairStore& pairs, int processes,
                           const std::string& libtorch);

/// Compares it with that of the checkpoint. Throws ConfigError if the corpus is another one; other differences are a
/// warning in the log.
void check_environment(const run::Checkpoint& checkpoint, const std::string& now);

}  // namespace ventris::preparation
