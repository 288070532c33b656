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
    case settings::Metric::kBleu: return bleu;
    case settings::Metric::kChrf: return chrf;
    case settings::Metric::kPerplexity: return perplexity;
    case settings::Metric::kAccuracy: return measured("accuracy");
    default: return loss;
  }
}

}  // namespace ventris::run
