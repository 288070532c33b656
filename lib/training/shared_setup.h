#pragma once
#include <functional>
#include <string>

#include "training/process_group.h"
#include "training/replicas.h"
#include "training/run_setup.h"
#include "training/validation_score.h"

/// Agreement between the processes of a run, before training and after each update. With one process, nothing
/// happens.
namespace ventris::training {

/// Throws ConfigError in all processes if the settings of one differ from those of rank 0.
void check_same_settings(ProcessGroup& group, const RunConfig& config);

/// Returns the tokenizers of rank 0 (prepare_tokenizers) in all processes.
Tokenizers share_tokenizers(ProcessGroup& group, const RunConfig& config, const OpenedRun& run);

/// Throws ConfigError in all processes if one of them has another training corpus or LibTorch than rank 0. A different
/// instruction set is a warning, because weights then differ in their last bits. `own` is the result of conditions().
void check_same_conditions(ProcessGroup& group, const std::string& own);

/// Returns the result of `measure` on rank 0 in all processes, which wait for it. If a signal interrupts it there, all
/// throw Interrupted.
ValidationScore share_score(ProcessGroup& group, const std::function<ValidationScore()>& measure);

/// The result of an update, the same in all processes.
struct SharedUpdate {
  PassResult pass;     ///< of all processes together
  double minutes = 0;  ///< on rank 0's clock
  int signal = 0;      ///< the stop signal of one of the processes, or 0
};

/// `own` is the result of this process alone.
SharedUpdate share_update(ProcessGroup& group, const SharedUpdate& own);

}  // namespace ventris::training
