#include "figures/bar_chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>

namespace ventris::figures {
namespace {

using Counts = std::vector<uint64_t>;
using Values = std::vector<double>;

TEST(Bins, OfFewNumbersAreOneWide) {
  const Bins bins = bins_of(Counts{0, 3, 1, 2}, 10);
  EXPECT_EQ(bins.edges, (Values{0, 1, 2, 3, 4}));
  EXPECT_EQ(bins.heights, (Values{0, 3, 1, 2}));
  EXPECT_EQ(bins.past, 0);
}

TEST(Bins, AreWiderForMoreNumbersThanThereMayBe) {
  const Bins bins = bins_of(Counts(95, 1), 10);
  EXPECT_EQ(bins.edges.size(), 11U);
  EXPECT_EQ(bins.edges[1], 10);
  EXPECT_EQ(bins.heights.front(), 10);
  EXPECT_EQ(bins.heights.back(), 5);
}

TEST(Bins, ARareFarNumberGoesToTheLast) {
  Counts counts(5001, 0);
  counts[3] = 10000;
  counts[5000] = 2;
  const Bins bins = bins_of(counts, 10);
  EXPECT_EQ(bins.edges.back(), 4);
  EXPECT_EQ(bins.heights.back(), 10002);
  EXPECT_EQ(bins.past, 2);
}

TEST(Bins, ReachAsFarAsTheyMust) { EXPECT_EQ(bins_of(Counts{1, 1}, 10, 7).edges.back(), 8); }

TEST(Bins, OfNothingAreNone) {
  EXPECT_TRUE(bins_of(Counts{}, 10).edges.empty());
  EXPECT_TRUE(bins_of(Counts{0, 0}, 10).edges.empty());
}

TEST(BarChart, DrawsABarForEachCountThatIsNotZero) {
  const std::string svg = bar_chart({{"Lengths", "tokens", "lines"}, {0, 1, 2}, {"a", "b"}, {{4, 0}, {1, 2}}, true});
  for (const char* text : {">\u2265 1<", ">1 or more tokens<", ">a 4<"}) EXPECT_THAT(svg, testing::HasSubstr(text));
  EXPECT_THAT(svg, testing::HasSubstr(">Lengths<"));
}

TEST(BarChart, SizesThatDoNotFitAreRefused) {
  EXPECT_THROW(bar_chart({{}, {0, 1}, {"a"}, {{1, 2}}}), std::invalid_argument);
  EXPECT_THROW(bar_chart({{}, {0, 1}, {"a", "b"}, {{1}}}), std::invalid_argument);
}

}  // namespace
}  // namespace ventris::figures
