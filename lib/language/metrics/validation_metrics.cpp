#include "metrics/validation_metrics.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace ventris::metrics {
namespace {

using Metric = ValidationMetric;

constexpr std::array kFacts{
    MetricFacts{Metric::kBleu, "bleu", "BLEU", 2, true, 1, MeasuredOn::kTranslations, true},
    MetricFacts{Metric::kChrf, "chrf", "chrF", 2, true, 5, MeasuredOn::kTranslations, false},
    MetricFacts{Metric::kAccuracy, "accuracy", "accuracy", 4, true, 0, MeasuredOn::kLabels, true},
    MetricFacts{Metric::kLoss, "loss", "loss", 4, false, 0, MeasuredOn::kProbabilities, false},
    MetricFacts{Metric::kPerplexity, "perplexity", "perplexity", 3, false, 0, MeasuredOn::kProbabilities, false}};

/// "a, b or c", where `last` is " or ".
std::string joined(const std::vector<std::string_view>& words, std::string_view last) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? last : ", ";
    text += words[i];
  }
  return text;
}

}  // namespace

std::span<const MetricFacts> all_metric_facts() { return kFacts; }

const MetricFacts& facts_of(ValidationMetric metric) {
  const auto* found = std::ranges::find(kFacts, metric, &MetricFacts::metric);
  if (found == kFacts.end()) throw std::invalid_argument("facts_of: a metric without facts");
  return *found;
}

const MetricFacts* facts_of(std::string_view name) {
  const auto* found = std::ranges::find(kFacts, name, &MetricFacts::name);
  return found == kFacts.end() ? nullptr : found;
}

std::vector<const MetricFacts*> metrics_on(MeasuredOn measured_on) {
  std::vector<const MetricFacts*> found;
  for (const MetricFacts& facts : kFacts) {
    if (facts.measured_on == measured_on) found.push_back(&facts);
  }
  return found;
}

std::string titles_of(MeasuredOn measured_on) {
  std::vector<std::string_view> titles;
  for (const MetricFacts* facts : metrics_on(measured_on)) titles.push_back(facts->title);
  return joined(titles, " and ");
}

std::string names_for(std::optional<MeasuredOn> made) {
  std::vector<std::string_view> names;
  for (const MetricFacts& facts : kFacts) {
    if (facts.measured_on == MeasuredOn::kProbabilities || facts.measured_on == made) names.push_back(facts.name);
  }
  return joined(names, " or ");
}

}  // namespace ventris::metrics
