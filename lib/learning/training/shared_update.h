#pragma once
#include <functional>

#include "distributed/process_group.h"
#include "run/validation_score.h"
#include "training/objective.h"

/// What the processes of a run exchange after an update. With one process, nothing happens.
namespace ventris::training {

/// Returns the result of `measure` on rank 0 in all processes, which wait for it. If a signal interrupts it there, all
/// throw Interrupted.
run::ValidationScore share_score(distributed::ProcessGroup& group,
                                 const std::function<run::ValidationScore()>& measure);

/// The result of an update, the same in all processes.
struct SharedUpdate {
  PassResult pass;     ///< of all processes together
  double minutes = 0;  ///< on rank 0's clock
  int signal = 0;      ///< the stop signal of one of the processes, or 0
};

/// `own` is the result of this process alone.
SharedUpdate share_update(distributed::ProcessGroup& group, const SharedUpdate& own);

}  // namespace ventris::training
