#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/attention_maps.h"
#include "run/config.h"

namespace ventris::run {

/// A translation to look at.
struct Sample {
  std::string source;
  std::string reference;
  std::string translation;
};

/// What a model is worth on the validation corpus.
struct ValidationResult {
  double loss = 0;        ///< label-smoothed, nats a target token
  double nll = 0;         ///< nats a target token
  double perplexity = 0;  ///< exp(nll)
  double bleu = 0;        ///< 13a, cased, of real beam translations against the raw references
  double chrf = 0;
  double seconds = 0;
  std::vector<Sample> samples;
  std::optional<model::SentenceAttention> attention = {};  ///< of the first sample that fits a figure; for the report

  double value(run::Metric metric) const;
};

}  // namespace ventris::run
