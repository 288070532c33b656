#pragma once
#include <string>

#include "data/pair_store.h"
#include "distributed/process_group.h"
#include "preparation/run_tokenizers.h"

/// What the processes of a run agree on before they train. With one process, nothing happens.
namespace ventris::training {

/// Throws ConfigError in all processes if the settings of one differ from those of rank 0.
void check_same_settings(distributed::ProcessGroup& group, const settings::RunConfig& config);

/// Completes the labels of a classifier on rank 0 (preparation/run_labels.h) and gives them to all processes.
void share_labels(distributed::ProcessGroup& group, settings::RunConfig& config, const preparation::OpenedRun& run);

/// Returns the tokenizers of rank 0 (prepare_tokenizers) in all processes.
preparation::Tokenizers share_tokenizers(distributed::ProcessGroup& group, const settings::RunConfig& config,
                                         const preparation::OpenedRun& run);

/// Sets training.batch_tokens and training.length_cost of all processes to those that rank 0 was resumed with, or else
/// measures (batch_size.h). Call it only if training.batch_memory is set.
void share_batch_size(distributed::ProcessGroup& group, settings::RunConfig& config, const preparation::OpenedRun& run,
                      const preparation::Tokenizers& tokenizers, const data::PairStore& pairs);

/// Throws ConfigError in all processes if one of them has another training corpus or LibTorch than rank 0. A different
/// instruction set is a warning, because weights then differ in their last bits. `own` is the result of
/// environment_of().
void check_same_environment(distributed::ProcessGroup& group, const std::string& own);

}  // namespace ventris::training
