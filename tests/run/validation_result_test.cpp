#include "run/validation_result.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ventris::run {
namespace {

TEST(ValidationResult, HasAValueForEachMetric) {
  ValidationResult result;
  result.loss = 2.5;
  result.perplexity = 7.5;
  result.measures.emplace_back("bleu", 30);
  result.measures.emplace_back("chrf", 55);
  EXPECT_EQ(result.value(settings::Metric::kBleu), 30);
  EXPECT_EQ(result.value(settings::Metric::kChrf), 55);
  EXPECT_EQ(result.value(settings::Metric::kLoss), 2.5);
  EXPECT_EQ(result.value(settings::Metric::kPerplexity), 7.5);
  EXPECT_TRUE(std::isnan(result.value(settings::Metric::kAccuracy)));  // it was not measured
  result.measures = {{"other", 1}, {"accuracy", 0.75}};
  EXPECT_EQ(result.value(settings::Metric::kAccuracy), 0.75);
}

}  // namespace
}  // namespace ventris::run
