#pragma once
#include <functional>
#include <string>

#include "training/process_group.h"
#include "training/replicas.h"
#include "training/run_setup.h"
#include "training/validation_score.h"

/// What the processes of a run settle among themselves before they train, and after each update. With one process
/// nothing happens.
namespace ventris::training {

/// Throws ConfigError in all processes if the settings of one differ from those of rank 0.
void check_same_settings(ProcessGroup& group, const RunConfig& config);

/// Rank 0's tokenizers (prepare_tokenizers), for all.
Tokenizers share_tokenizers(ProcessGroup& group, const RunConfig& config, const OpenedRun& run);

/// Throws ConfigError in all processes if one of them has another training corpus or LibTorch than rank 0. A different
/// instruction set is a warning: weights then drift apart in their last bits. `own` is what conditions() gave.
void check_same_conditions(ProcessGroup& group, const std::string& own);

/// What `measure` returns on rank 0, for all, who wait for it. A signal that interrupts it there is Interrupted for
/// all.
ValidationScore share_score(ProcessGroup& group, const std::function<ValidationScore()>& measure);

/// An update as a whole, the same in all processes.
struct SharedUpdate {
  PassResult pass;     ///< of all processes together
  double minutes = 0;  ///< on rank 0's clock
  int signal = 0;      ///< a signal that asked one of the processes to stop, or 0
};

/// `own` is what this process would say alone.
SharedUpdate share_update(ProcessGroup& group, const SharedUpdate& own);

}  // namespace ventris::training
