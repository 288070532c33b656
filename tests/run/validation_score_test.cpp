#include "run/validation_score.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ventris::run {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

TEST(ValidationScore, IsBetterByTheMetricFirst) {
  EXPECT_TRUE(better({2, 9}, {1, 1}, settings::Metric::kBleu));
  EXPECT_FALSE(better({1, 1}, {2, 9}, settings::Metric::kBleu));
  EXPECT_TRUE(better({0.9, 9}, {0.8, 1}, settings::Metric::kAccuracy));
  EXPECT_TRUE(better({1, 9}, {2, 1}, settings::Metric::kPerplexity));
  EXPECT_FALSE(better({2, 1}, {1, 9}, settings::Metric::kLoss));
}

TEST(ValidationScore, OfEqualValuesTheLossDecides) {
  EXPECT_TRUE(better({0, 4.5}, {0, 5}, settings::Metric::kBleu));
  EXPECT_FALSE(better({0, 5}, {0, 5}, settings::Metric::kBleu));
  EXPECT_FALSE(better({0, 6}, {0, 5}, settings::Metric::kBleu));
}

TEST(ValidationScore, BelowOnePointOfBleuTheLossDecides) {
  EXPECT_TRUE(better({0, 4}, {0.02, 5}, settings::Metric::kBleu));
  EXPECT_FALSE(better({0.9, 5}, {0.02, 4}, settings::Metric::kBleu));
  EXPECT_TRUE(better({1, 9}, {0.99, 4}, settings::Metric::kBleu));
  EXPECT_FALSE(better({0.99, 4}, {1, 9}, settings::Metric::kBleu));
  EXPECT_FALSE(better({1, 4}, {1.01, 5}, settings::Metric::kBleu));
}

TEST(ValidationScore, BelowFivePointsOfChrfTheLossDecides) {
  EXPECT_TRUE(better({3, 4}, {4.9, 5}, settings::Metric::kChrf));
  EXPECT_FALSE(better({4.9, 5}, {3, 4}, settings::Metric::kChrf));
  EXPECT_TRUE(better({5, 9}, {4.9, 4}, settings::Metric::kChrf));
}

TEST(ValidationScore, ALowAccuracyOrLossIsComparedAsItIs) {
  EXPECT_TRUE(better({0.3, 9}, {0.2, 4}, settings::Metric::kAccuracy));
  EXPECT_TRUE(better({0.2, 9}, {0.3, 4}, settings::Metric::kLoss));
}

TEST(ValidationScore, BelowOnePointWithoutALossTheValueDecides) {
  EXPECT_TRUE(better({0.5, kNone}, {0.2, kNone}, settings::Metric::kBleu));
  EXPECT_FALSE(better({0.2, kNone}, {0.5, kNone}, settings::Metric::kBleu));
}

TEST(ValidationScore, AKnownLossIsBetterThanNone) {
  EXPECT_TRUE(better({0, 5}, {0, kNone}, settings::Metric::kBleu));
  EXPECT_FALSE(better({0, kNone}, {0, 5}, settings::Metric::kBleu));
  EXPECT_FALSE(better({0, kNone}, {0, kNone}, settings::Metric::kBleu));
}

TEST(ValidationScore, AValueThatIsNotFiniteIsNeverBetter) {
  for (const double value : {kNone, std::numeric_limits<double>::infinity()}) {
    EXPECT_FALSE(better({value, 1}, {0, 5}, settings::Metric::kBleu));
    EXPECT_TRUE(better({0, 5}, {value, 1}, settings::Metric::kLoss));
  }
}

}  // namespace
}  // namespace ventris::run
