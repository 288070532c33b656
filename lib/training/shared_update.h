#pragma once
#include <functional>

#include "distributed/process_group.h"
#include "run/validation_score.h"
#include "training/objective.h"

/// What the processes of a run exchange after an update. With one process, nothing happens.
namespace ventris::training {

/// What `measure` returns on rank 0, for all, who wait for it. A signal that interrupts it there is Interrupted for
/// all.
run::ValidationScore share_score(distributed::ProcessGroup& group,
                                 const std::function<run::ValidationScore()>& measure);

/// An update as a whole, the same in all processes.
struct SharedUpdate {
  PassResult pass;     ///< of all processes together
  double minutes = 0;  ///< on rank 0's clock
  int signal = 0;      ///< a signal that asked one of the processes to stop, or 0
};

/// `own` is what this process would say alone.
SharedUpdate share_update(distributed::ProcessGroup& group, const SharedUpdate& own);

}  // namespace ventris::training
