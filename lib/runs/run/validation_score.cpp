#include "run/validation_score.h"

#include <cmath>

namespace ventris::run {

bool better(const ValidationScore& a, const ValidationScore& b, settings::Metric metric) {
  if (!std::isfinite(a.value)) return false;
  if (!std::isfinite(b.value)) return true;
  const metrics::MetricFacts& facts = metrics::facts_of(metric);
  const bool meaningless =
      a.value < facts.least_meaning && b.value < facts.least_meaning && !(std::isnan(a.loss) && std::isnan(b.loss));
  if (a.value != b.value && !meaningless) return facts.more_is_better == (a.value > b.value);
  return !std::isnan(a.loss) && (std::isnan(b.loss) || a.loss < b.loss);
}

}  // namespace ventris::run
