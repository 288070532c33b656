#include "run/validation_score.h"

#include <cmath>

namespace ventris::run {

bool better(const ValidationScore& a, const ValidationScore& b, settings::Metric metric) {
  if (!std::isfinite(a.value)) return false;
  if (!std::isfinite(b.value)) return true;
  if (a.value != b.value) return settings::more_is_better(metric) == (a.value > b.value);
  return !std::isnan(a.loss) && (std::isnan(b.loss) || a.loss < b.loss);
}

}  // namespace ventris::run
