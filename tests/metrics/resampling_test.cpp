#include "metrics/resampling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "support/errors.h"

namespace ventris::metrics {
namespace {

/// The mean of the one value a segment has.
Scorer mean_of(double segments) {
  const auto mean = [segments](std::span<const double> sums) { return sums[0] / segments; };
  return {mean, [segments](std::span<const float> sums) { return ResampledScore{sums[0] / segments, false}; }, mean};
}

TEST(Resampling, RowsAreSummed) {
  EXPECT_EQ((CountTable{2, {1, 2, 3, 4, 5, 6}}.sums()), (std::vector<double>{9, 12}));
  EXPECT_EQ((CountTable{2, {1, 2, 3, 4}}.segments()), 2U);
  EXPECT_EQ(CountTable{}.segments(), 0U);
}

TEST(Resampling, EqualSegmentsLeaveNoDoubt) {
  const auto confidence = bootstrap_confidence({1, {7, 7, 7}}, mean_of(3), {100});
  EXPECT_EQ(confidence.mean, 7);
  EXPECT_EQ(confidence.interval, 0);
}

TEST(Resampling, TheIntervalNarrowsWithTheSegments) {
  CountTable few{1}, many{1};
  for (int i = 0; i < 40; ++i) few.values.push_back(i % 2);
  for (int i = 0; i < 4000; ++i) many.values.push_back(i % 2);
  const double wide = bootstrap_confidence(few, mean_of(40), {}).interval;
  const double narrow = bootstrap_confidence(many, mean_of(4000), {}).interval;
  EXPECT_NEAR(wide, 1.96 * 0.5 / std::sqrt(40), 0.03);
  EXPECT_NEAR(narrow, 1.96 * 0.5 / std::sqrt(4000), 0.003);
}

TEST(Resampling, SumsAreRoundedAsNumpyRoundsThem) {
  // NumPy: rows [121, 2] of float32 by default_rng(12345).choice(121, size=(40, 121)), each resample's .sum(0)[0]; then
  // statistics.mean of them, and half of the difference between the second largest and the second smallest.
  const auto confidence = [](double divisor) {
    CountTable table{2};
    for (int i = 1; i <= 121; ++i) table.values.insert(table.values.end(), 2, i * 7919 % 1'000'003 / divisor);
    const auto first = [](std::span<const float> sums) { return ResampledScore{sums[0], true}; };
    return bootstrap_confidence(table, {{}, first, {}}, {40});
  };
  EXPECT_EQ(confidence(1).mean, 58372732.0);  // over 2^24: not every whole number is a float
  EXPECT_EQ(confidence(1).interval, 3971372.0);
  EXPECT_EQ(confidence(3).mean, 19457578.0);
  EXPECT_EQ(confidence(3).interval, 1323790.0);
}

TEST(Resampling, SeedsDecideAndThreadsDoNot) {
  CountTable table{1};
  for (int i = 0; i < 50; ++i) table.values.push_back(i);
  const auto mean = [&](uint64_t seed, int threads) {
    return bootstrap_confidence(table, mean_of(50), {100, seed, threads}).mean;
  };
  EXPECT_EQ(mean(1, 1), mean(1, 3));
  EXPECT_NE(mean(1, 1), mean(2, 1));
}

TEST(Resampling, EqualSystemsDifferByChance) {
  const CountTable table{1, {1, 0, 1, 1, 0, 0, 1, 0}};
  EXPECT_EQ(paired_bootstrap({table, table}, mean_of(8), {200})[1].p_value, 1.0 / 201);  // sacreBLEU's: 0 > 0 is false
  EXPECT_EQ(paired_randomization({table, table}, mean_of(8), {200})[1].p_value, 1.0 / 201);
}

TEST(Resampling, ALargeDifferenceIsNoChance) {
  CountTable good{1}, slightly_better{1}, bad{1};
  for (int i = 0; i < 200; ++i) {
    good.values.push_back(i % 2);
    slightly_better.values.push_back(i % 2 + (i % 100 == 0 ? 1 : 0) - (i % 100 == 50 ? 0.9 : 0));
    bad.values.push_back(0);
  }
  for (auto* test : {&paired_bootstrap, &paired_randomization}) {
    const auto results = (*test)({good, slightly_better, bad}, mean_of(200), {500, 12345, 2});
    ASSERT_EQ(results.size(), 3U);
    EXPECT_GT(results[1].p_value, 0.2);
    EXPECT_LT(results[2].p_value, 0.01);
  }
}

TEST(Resampling, ThereMustBeSomethingToDraw) {
  EXPECT_FAILS(bootstrap_confidence({1, {}}, mean_of(1), {}), std::invalid_argument, "cannot draw from 0 segments");
  EXPECT_FAILS(bootstrap_confidence({1, {1}}, mean_of(1), {0}), std::invalid_argument, "no samples");
  EXPECT_FAILS(paired_bootstrap({}, mean_of(1), {}), std::invalid_argument, "no systems");
  EXPECT_FAILS(paired_randomization({{1, {1}}, {1, {1, 2}}}, mean_of(1), {}), std::invalid_argument,
               "different lengths");
}

}  // namespace
}  // namespace ventris::metrics
