#include "run/validation_result.h"

#include <gtest/gtest.h>

namespace ventris::run {
namespace {

TEST(ValidationResult, HasAValueForEachMetric) {
  ValidationResult result;
  result.loss = 2.5;
  result.perplexity = 7.5;
  result.bleu = 30;
  result.chrf = 55;
  EXPECT_EQ(result.value(Metric::kBleu), 30);
  EXPECT_EQ(result.value(Metric::kChrf), 55);
  EXPECT_EQ(result.value(Metric::kLoss), 2.5);
  EXPECT_EQ(result.value(Metric::kPerplexity), 7.5);
}

}  // namespace
}  // namespace ventris::run
