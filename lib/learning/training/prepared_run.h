#pragma once
#include <memory>
#include <optional>

#include "core/log.h"
#include "data/pair_store.h"
#include "distributed/process_group.h"
#include "model/package.h"
#include "preparation/run_tokenizers.h"
#include "preparation/taken_folder.h"

namespace ventris::training {

/// All that a run has before its model is made.
struct PreparedRun {
  /// Completed: with the GPU of this process, the copy of standard input, labels and the tokenization of BLEU.
  settings::RunConfig config;
  std::unique_ptr<preparation::TakenFolder> folder;  ///< null on other ranks than 0, which do not use it
  preparation::OpenedRun opened;                     ///< empty on other ranks than 0
  preparation::Tokenizers tokenizers;
  model::Package package;
  std::unique_ptr<const data::PairStore> pairs;

  /// Writes the settings into the run folder, which replaces an older run; call after all checks, when the model has
  /// the weights that were read. Frees their memory.
  void begin();
};

/// Prepares a run with the other processes: all of them get the labels and tokenizers of rank 0. `gpu`: the number of
/// the one that this process uses. Only rank 0 uses the run folder, and opens `log`, which outlives a failure. Throws
/// as the functions of preparation and of training/agreement.h do.
PreparedRun prepare_run(distributed::ProcessGroup& group, const settings::RunConfig& settings,
                        const run::RunOptions& options, int gpu, std::optional<core::LogFile>& log);

}  // namespace ventris::training
