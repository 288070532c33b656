#pragma once
#include <limits>

#include "run/config.h"

namespace ventris::run {

/// What a validated model is judged by.
struct ValidationScore {
  double value = 0;  ///< of the metric that best/ and the patience go by; not finite: never better than another
  double loss = std::numeric_limits<double>::quiet_NaN();  ///< nats a target token; decides between equal values;
                                                           ///< NaN = not known, which is worse than any other
};

/// Whether `a` is better than `b`: by the value, or, where both are equal, by a lower loss. Before a model has learnt
/// anything, each of its validations has a BLEU of 0, and only the loss shows that it learns.
bool better(const ValidationScore& a, const ValidationScore& b, Metric metric);

}  // namespace ventris::run
