#include "run/validation_result.h"

#include <cmath>

namespace ventris::run {

double ValidationResult::measured(const std::string& name) const {
  for (const auto& [measure, value] : measures) {
    if (measure == name) return value;
  }
  return std::nan("");
}

double ValidationResult::value(settings::Metric metric) const {
  if (metric == settings::Metric::kLoss) return loss;
  return metric == settings::Metric::kPerplexity ? perplexity : measured(settings::name_of(metric));
}

}  // namespace ventris::run
