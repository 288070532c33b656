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
  switch (metric) {
    case settings::Metric::kLoss: return loss;
    case settings::Metric::kPerplexity: return perplexity;
    case settings::Metric::kBleu:
    case settings::Metric::kChrf:
    case settings::Metric::kAccuracy: return measured(settings::name_of(metric));
  }
  return std::nan("");
}

}  // namespace ventris::run
