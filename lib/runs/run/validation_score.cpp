#include "run/validation_score.h"

#include <cmath>

namespace ventris::run {
namespace {

/// Below this value, the metric says nothing about a model: a few words match by chance.
double least_meaning(settings::Metric metric) {
  switch (metric) {
    case settings::Metric::kBleu: return 1;
    case settings::Metric::kChrf: return 5;
    default: return 0;
  }
}

}  // namespace

bool better(const ValidationScore& a, const ValidationScore& b, settings::Metric metric) {
  if (!std::isfinite(a.value)) return false;
  if (!std::isfinite(b.value)) return true;
  const double least = least_meaning(metric);
  const bool meaningless = a.value < least && b.value < least && !(std::isnan(a.loss) && std::isnan(b.loss));
  if (a.value != b.value && !meaningless) return settings::more_is_better(metric) == (a.value > b.value);
  return !std::isnan(a.loss) && (std::isnan(b.loss) || a.loss < b.loss);
}

}  // namespace ventris::run
