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
  bool translates = true;  ///< false: bleu, chrf, samples and attention have no meaning
  double bleu = 0;         ///< cased, of real beam translations against the raw references
  std::string bleu_signature = {};  ///< as in sacreBLEU; it has the tokenization
  double chrf = 0;
  std::vector<std::pair<std::string, double>> measures = {};  ///< what else the task measures: name (as in
                                                              ///< metrics.jsonl) and value
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
