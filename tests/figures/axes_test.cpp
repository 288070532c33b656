#include "figures/axes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ventris::figures {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using Labels = std::vector<std::string>;

TEST(Scale, PutsItsEndsWhereTheyArePlaced) {
  Scale scale(ScaleKind::kLinear, 10, 20);
  scale.place(100, 0);
  EXPECT_DOUBLE_EQ(scale.at(10), 100);
  EXPECT_DOUBLE_EQ(scale.at(15), 50);
  EXPECT_DOUBLE_EQ(scale.at(20), 0);
}

TEST(Scale, GivesEachPowerOfTenTheSameRoomOnALogarithmicAxis) {
  Scale scale(ScaleKind::kLog, 1, 1000);
  scale.place(0, 30);
  EXPECT_NEAR(scale.at(10), 10, 1e-9);
  EXPECT_NEAR(scale.at(100), 20, 1e-9);
  EXPECT_FALSE(scale.shows(0));
  EXPECT_FALSE(scale.shows(std::numeric_limits<double>::infinity()));
  EXPECT_TRUE(scale.shows(2));
}

TEST(Scale, WithoutPositiveValuesALogarithmicAxisIsLinear) { EXPECT_TRUE(Scale(ScaleKind::kLog, 0, 5).shows(-1)); }

TEST(Scale, OneValueStillHasAWidth) {
  Scale scale(ScaleKind::kLinear, 3, 3);
  scale.place(0, 100);
  EXPECT_NEAR(scale.at(3), 50, 1e-9);
}

TEST(Scale, TicksAreRoundNumbersInside) {
  EXPECT_THAT(Scale(ScaleKind::kLinear, 0, 7694).ticks(6), ElementsAre(0, 1000, 2000, 3000, 4000, 5000, 6000, 7000));
  EXPECT_THAT(Scale(ScaleKind::kLinear, 1.2, 2.3).ticks(3), ElementsAre(DoubleNear(1.5, 1e-9), DoubleNear(2, 1e-9)));
  EXPECT_THAT(Scale(ScaleKind::kLog, 0.5, 2e4).ticks(6),
              ElementsAre(DoubleNear(1, 1e-9), DoubleNear(10, 1e-9), DoubleNear(100, 1e-9), DoubleNear(1e3, 1e-9),
                          DoubleNear(1e4, 1e-9)));
  EXPECT_EQ(Scale(ScaleKind::kLog, 3, 30).ticks(6).size(), 3U);  // 5, 10, 20
}

TEST(Scale, OfTwoValuesNextToEachOtherHasAnEndToItsTicks) {
  const double value = 0.1;
  EXPECT_LE(Scale(ScaleKind::kLinear, value, std::nextafter(value, 1)).ticks(6).size(), 1001U);
}

TEST(Scale, RoundedItReachesTheTicksRoundIt) {
  const auto ticks = Scale(ScaleKind::kLinear, 1.2, 6.9).rounded(5).ticks(5);
  EXPECT_LE(ticks.front(), 1.2);
  EXPECT_GE(ticks.back(), 6.9);
}

TEST(TickLabels, AreShortAndInOneUnit) {
  EXPECT_EQ(tick_labels({0, 0.1 + 0.2, 0.6}), (Labels{"0", "0.3", "0.6"}));
  EXPECT_EQ(tick_labels({0, 5000, 20000}), (Labels{"0", "5k", "20k"}));
  EXPECT_EQ(tick_labels({500000, 1500000}), (Labels{"0.5M", "1.5M"}));
  EXPECT_EQ(tick_labels({0, 2e9}), (Labels{"0", "2G"}));
  EXPECT_EQ(tick_labels({-0.0, 2e-5, 4e-5}), (Labels{"0", "2e-5", "4e-5"}));
}

TEST(Legend, IsLeftOutForOneSeriesWithoutAName) {
  Svg with(10, 10, ""), without(10, 10, "");
  const std::string empty = without.finish();
  draw_legend(without, 0, 0, legend_of({""}, 100));
  draw_legend(with, 0, 0, legend_of({"training", "validation"}, 100));
  EXPECT_EQ(without.finish(), empty);
  EXPECT_THAT(with.finish(), testing::HasSubstr(">validation</text>"));
}

}  // namespace
}  // namespace ventris::figures
