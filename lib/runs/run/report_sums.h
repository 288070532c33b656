#pragma once
#include <cstdint>

namespace ventris::run {

/// Sums over the updates since the last report. Checkpoints save them, so that a resumed run reports the same values.
struct ReportSums {
  int64_t updates = 0;
  double loss = 0;  ///< label-smoothed, including R-Drop, times line weights, nats
  double nll = 0;  ///< plain negative log-likelihood, times line weights, nats
  int64_t tokens = 0;  ///< target tokens
  double weight = 0;  ///< sum of the tokens' line weights, the divisor of the losses; `tokens` if all are 1
  double norm = 0;  ///< norms of the gradients before clipping, summed over updates
  double seconds = 0;  ///< time of these updates before the current start of the program
};

}  // namespace ventris::run
