#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ventris::metrics {

/// The measures by which validations compare models.
enum class ValidationMetric { kBleu, kChrf, kLoss, kPerplexity, kAccuracy };

/// What a model must make for a metric.
enum class MeasuredOn {
  kProbabilities,  ///< every model
  kTranslations,   ///< models that translate
  kLabels          ///< classifiers
};

/// All that logs, files, reports and comparisons of models know of a metric.
struct MetricFacts {
  ValidationMetric metric;
  std::string_view name;   ///< in settings, metrics.jsonl and events
  std::string_view title;  ///< in reports
  int digits;              ///< behind the decimal point, in tables
  bool more_is_better;
  double least_meaning;  ///< below it, the value says nothing of a model: a few words match by chance
  MeasuredOn measured_on;
  bool leads;  ///< reports name its best value and compare corpora by it
};

/// One for each metric, in the order in which they are shown.
std::span<const MetricFacts> all_metric_facts();

const MetricFacts& facts_of(ValidationMetric metric);

/// The facts of the metric with this name; null if there is none.
const MetricFacts* facts_of(std::string_view name);

/// The metrics that are measured on this, in the same order.
std::vector<const MetricFacts*> metrics_on(MeasuredOn measured_on);

/// The titles of the metrics that are measured on this: "BLEU and chrF".
std::string titles_of(MeasuredOn measured_on);

/// The names of the metrics that a model can have: those of what it makes (empty = neither translations nor labels),
/// and those of every model: "accuracy, loss or perplexity".
std::string names_for(std::optional<MeasuredOn> made);

}  // namespace ventris::metrics
