#pragma once
#include <cstdint>

namespace ventris::run {

/// Sums over the updates since the last report; part of a checkpoint, so that a resumed run reports the same figures.
struct ReportSums {
  int64_t updates = 0;
  double loss = 0;  ///< nats, label-smoothed, with R-Drop's divergence; each token's times its sentence's weight
  double nll = 0;  ///< nats, the same
  int64_t tokens = 0;  ///< target tokens
  double weight = 0;  ///< their weights: what the losses are divided by; `tokens` if all weights are 1
  double norm = 0;  ///< of the gradients before clipping, summed over updates
  double seconds = 0;  ///< spent on them before the sitting that goes on
};

}  // namespace ventris::run
