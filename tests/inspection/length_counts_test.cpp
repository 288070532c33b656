#include "inspection/length_counts.h"

#include <gtest/gtest.h>

namespace ventris::inspection {
namespace {

LengthCounts lengths_of(const std::vector<int64_t>& lengths) {
  LengthCounts counts;
  for (size_t i = 0; i < lengths.size(); ++i) counts.add(lengths[i], static_cast<int64_t>(i) + 1);
  return counts;
}

TEST(LengthCounts, WithoutLinesEverythingIsZero) {
  const LengthCounts none;
  EXPECT_EQ(none.lines() + none.total() + none.shortest() + none.longest() + none.longest_line(), 0);
  EXPECT_EQ(none.mean(), 0);
  EXPECT_EQ(none.percentile(0.5), 0);
  EXPECT_TRUE(none.histogram().empty());
}

TEST(LengthCounts, PercentilesAreLengthsOfLines) {
  std::vector<int64_t> lengths;
  for (int64_t length = 100; length >= 1; --length) lengths.push_back(length);
  const LengthCounts counts = lengths_of(lengths);
  EXPECT_EQ(counts.percentile(0.01), 1);
  EXPECT_EQ(counts.percentile(0.5), 50);
  EXPECT_EQ(counts.percentile(0.99), 99);
  EXPECT_EQ(counts.percentile(1), 100);
  EXPECT_EQ(lengths_of({7, 7, 7}).percentile(0.01), 7);
}

TEST(LengthCounts, TheFirstOfTheLongestLinesIsNamed) {
  const LengthCounts counts = lengths_of({3, 9, 9, 0});
  EXPECT_EQ(counts.longest(), 9);
  EXPECT_EQ(counts.longest_line(), 2);
  EXPECT_EQ(counts.shortest(), 0);
  EXPECT_EQ(counts.total(), 21);
  EXPECT_EQ(counts.mean(), 5.25);
}

TEST(LengthCounts, TheHistogramHoldsEveryLineOnce) {
  std::vector<int64_t> lengths{0, 0};
  for (int64_t i = 0; i < 1000; ++i) lengths.push_back(1 + i % 50);
  lengths.push_back(4000);
  const auto bins = lengths_of(lengths).histogram(12);
  ASSERT_EQ(bins.size(), 12U);  // empty, ten of width 5, and the longest
  int64_t lines = 0;
  for (const auto& bin : bins) lines += bin.lines;
  EXPECT_EQ(lines, 1003);
  EXPECT_EQ(bins.front().lines, 2);
  EXPECT_EQ(bins[1].first, 1);
  EXPECT_EQ(bins[1].last, 5);
  EXPECT_EQ(bins[1].lines, 100);
  EXPECT_EQ(bins.back().first, 51);
  EXPECT_EQ(bins.back().last, 4000);
  EXPECT_EQ(bins.back().lines, 1);
}

}  // namespace
}  // namespace ventris::inspection
