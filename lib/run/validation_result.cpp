#include "run/validation_result.h"

namespace ventris::run {

double ValidationResult::value(Metric metric) const {
  switch (metric) {
    case Metric::kBleu: return bleu;
    case Metric::kChrf: return chrf;
    case Metric::kPerplexity: return perplexity;
    default: return loss;
  }
}

}  // namespace ventris::run
