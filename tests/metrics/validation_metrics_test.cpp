#include "metrics/validation_metrics.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace ventris::metrics {
namespace {

TEST(ValidationMetrics, EachHasFactsUnderItsNameAndIsThereOnce) {
  std::set<ValidationMetric> found;
  for (const MetricFacts& facts : all_metric_facts()) {
    EXPECT_TRUE(found.insert(facts.metric).second) << facts.name;
    EXPECT_EQ(&facts_of(facts.metric), &facts);
    EXPECT_EQ(facts_of(facts.name), &facts);
  }
  for (const auto metric : {ValidationMetric::kBleu, ValidationMetric::kChrf, ValidationMetric::kLoss,
                            ValidationMetric::kPerplexity, ValidationMetric::kAccuracy}) {
    EXPECT_TRUE(found.contains(metric));
  }
  EXPECT_EQ(facts_of("no_metric"), nullptr);
}

TEST(ValidationMetrics, OnlyOfLossesLessIsBetter) {
  for (const MetricFacts& facts : all_metric_facts()) {
    EXPECT_EQ(facts.more_is_better, facts.measured_on != MeasuredOn::kProbabilities) << facts.name;
  }
}

TEST(ValidationMetrics, AreNamedInSentences) {
  EXPECT_EQ(titles_of(MeasuredOn::kTranslations), "BLEU and chrF");
  EXPECT_EQ(titles_of(MeasuredOn::kLabels), "accuracy");
  EXPECT_EQ(names_for(MeasuredOn::kTranslations), "bleu, chrf, loss or perplexity");
  EXPECT_EQ(names_for(MeasuredOn::kLabels), "accuracy, loss or perplexity");
  EXPECT_EQ(names_for({}), "loss or perplexity");
}

}  // namespace
}  // namespace ventris::metrics
