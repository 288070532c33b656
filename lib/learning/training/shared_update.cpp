#include "training/shared_update.h"

#include <string>

#include "core/error.h"

namespace ventris::training {

run::ValidationScore share_score(distributed::ProcessGroup& group,
                                 const std::function<run::ValidationScore()>& measure) {
  struct {
    run::ValidationScore score;
    int signal = 0;
  } outcome;
  std::string text = "stopped by a signal to rank 0";
  try {
    if (group.leads()) outcome.score = measure();
  } catch (const Interrupted& stop) {
    outcome.signal = stop.signal;
    text = stop.what();
  }
  outcome = group.broadcast_value(outcome);
  if (outcome.signal != 0) throw Interrupted(outcome.signal, text);
  return outcome.score;
}

SharedUpdate share_update(distributed::ProcessGroup& group, const SharedUpdate& own) {
  SharedUpdate all;
  for (const SharedUpdate& part : group.gather_values(own)) {
    all.pass += part.pass;
    if (all.minutes == 0) all.minutes = part.minutes;
    if (all.signal == 0) all.signal = part.signal;
  }
  return all;
}

}  // namespace ventris::training
