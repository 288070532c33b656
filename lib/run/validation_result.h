#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/attention_maps.h"
#include "run/config.h"

namespace ventris::run {

/// A sample translation for the log and the report.
struct Sample {
  std::string source;
  std::string reference;
  std::string translation;
};

/// The result of a validation.
struct ValidationResult {
  double loss = 0;        ///< label-smoothed, nats per target token
  double nll = 0;         ///< nats per target token
  double perplexity = 0;  ///< exp(nll)
  double bleu = 0;        ///< 13a, cased, of real beam translations against the raw references
  double chrf = 0;
  double seconds = 0;
  std::vector<Sample> samples;
  std::optional<model::SentenceAttention> attention = {};  ///< of the first sample that fits a figure; for the report

  double value(run::Metric metric) const;
};

}  // namespace ventris::run
