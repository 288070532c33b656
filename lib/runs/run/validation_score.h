#pragma once
#include <limits>

#include "settings/run_config.h"

namespace ventris::run {

/// The score by which validated models are compared.
struct ValidationScore {
  double value = 0;  ///< of validation.metric; if not finite, never better than another
  double loss = std::numeric_limits<double>::quiet_NaN();  ///< nats per target token; breaks ties between values;
                                                           ///< NaN = not known, which is worse than any other
};

/// Whether `a` is better than `b`: by the value, or, if both are equal, by a lower loss. Below 1 point of BLEU or 5 of
/// chrF, values count as equal: at the beginning of a run they are 0 or chance, and only the loss shows that the model
/// learns.
bool better(const ValidationScore& a, const ValidationScore& b, settings::Metric metric);

}  // namespace ventris::run
