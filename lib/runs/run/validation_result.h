#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/attention_maps.h"
#include "settings/run_config.h"

namespace ventris::run {

/// A sample translation for the log and the report.
struct Sample {
  std::string source;
  std::string reference;
  std::string translation;
};

/// The result of a validation on one corpus.
struct ValidationResult {
  std::string corpus = {};  ///< name of a further corpus; empty = the one that decides
  double loss = 0;        ///< label-smoothed, nats per target token
  double nll = 0;         ///< nats per target token
  double perplexity = 0;  ///< exp(nll)
  /// What else the task measures: name (as in metrics.jsonl) and value. BLEU and chrF are cased, of real beam
  /// translations against the raw references.
  std::vector<std::pair<std::string, double>> measures = {};
  std::string bleu_signature = {};  ///< as in sacreBLEU; it has the tokenization; empty without translations
  double seconds = 0;
  std::vector<Sample> samples;
  std::optional<model::SentenceAttention> attention = {};  ///< of the first sample that fits a figure; for the report
  std::vector<ValidationResult> further = {};  ///< of the further corpora; they have no samples and no attention

  /// The value of the measure with this name; NaN if the task does not measure it.
  double measured(const std::string& name) const;

  /// The value of the metric that `validation.metric` names.
  double value(settings::Metric metric) const;
};

}  // namespace ventris::run
