#include "figures/line_chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <regex>

namespace ventris::figures {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// The paths of the series, in order.
std::vector<std::string> paths(const std::string& svg) {
  const std::regex path("<path d=\"([^\"]*)\"");
  std::vector<std::string> found;
  for (std::sregex_iterator it(svg.begin(), svg.end(), path), end; it != end; ++it) found.push_back((*it)[1]);
  return found;
}

size_t count(const std::string& text, char letter) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), letter));
}

TEST(LineChart, DrawsEachSeriesThroughItsPoints) {
  const std::string svg =
      line_chart({{"Loss", "update", "nats"}, {{"a", {0, 5, 10}, {0, 1, 2}}, {"b", {0, 10}, {2, 0}}}});
  const auto found = paths(svg);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0], "M64 314L384 182L704 50");  // the frame of 720 x 360 pixels, corner to corner
  EXPECT_EQ(found[1], "M64 50L704 314");
  for (const char* text : {">Loss<", ">update<", ">nats<", ">a<", ">b<"}) EXPECT_THAT(svg, HasSubstr(text));
}

TEST(LineChart, AnAxisMayShowMoreThanTheDataHave) {
  LineChart chart{{}, {{"", {5, 10}, {0, 1}}}};
  chart.x_range = {0, 20};
  EXPECT_EQ(paths(line_chart(chart)).at(0), "M224 314L384 50");  // a quarter and half of 640 pixels from 64 on
  chart.x_range = {6, 7};
  EXPECT_EQ(paths(line_chart(chart)).at(0), "M64 314L704 50");
}

TEST(LineChart, AShortCurveIsDrawnOverALongOneOnTheSamePoints) {
  const auto found = paths(line_chart({{}, {{"short", {0, 5}, {0, 1}}, {"long", {0, 5, 10}, {0, 1, 2}}}}));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(count(found[0], 'L'), 2U);
  EXPECT_EQ(count(found[1], 'L'), 1U);
}

TEST(LineChart, BreaksWhereAValueIsMissing) {
  const auto path = paths(line_chart({{}, {{"", {0, 1, 2, 3, 4}, {0, 1, kNaN, 1, 2}}}})).at(0);
  EXPECT_EQ(count(path, 'M'), 2U);
  EXPECT_EQ(count(path, 'L'), 2U);
  EXPECT_EQ(path.find("nan"), std::string::npos);
}

TEST(LineChart, OnALogarithmicAxisOnlyPositiveValuesHaveAPlace) {
  const auto path = paths(line_chart({{}, {{"", {0, 1, 2}, {0, 10, 100}}}, ScaleKind::kLinear, ScaleKind::kLog})).at(0);
  EXPECT_EQ(count(path, 'M') + count(path, 'L'), 2U);
}

TEST(LineChart, OfManyPointsKeepsThePeaksAndFewOfTheRest) {
  Series series;
  for (int i = 0; i < 200000; ++i) {
    series.x.push_back(i);
    series.y.push_back(i == 77777 ? 100 : std::sin(i));
  }
  const auto path = paths(line_chart({{}, {series}})).at(0);
  EXPECT_LT(count(path, 'L'), 3000U);
  EXPECT_THAT(path, HasSubstr(" 50L"));  // the top of the frame
}

TEST(LineChart, OnePointIsADotAndNoneIsSaid) {
  EXPECT_THAT(line_chart({{}, {{"", {3}, {4}}}}), HasSubstr("r=\"2.6\""));
  EXPECT_THAT(line_chart({{}, {{"", {}, {}}}}), HasSubstr("no figures yet"));
  EXPECT_THAT(line_chart({{}, {{"", {1, 2}, {kNaN, kNaN}}}}), HasSubstr("no figures yet"));
  EXPECT_THAT(line_chart({{}, {{"", {1, 2}, {3, 4}}}}), Not(HasSubstr("r=\"2.6\"")));
}

TEST(LineChart, ASeriesWithoutALineIsADotOnEachPointHoweverMany) {
  Series series{"data", {}, {}};
  series.line = false;
  for (int i = 0; i < 150; ++i) {
    series.x.push_back(i);
    series.y.push_back(i % 7);
  }
  const std::string svg = line_chart({{}, {series}});
  size_t dots = 0;
  for (size_t at = svg.find("r=\"2.6\""); at != std::string::npos; at = svg.find("r=\"2.6\"", at + 1)) ++dots;
  EXPECT_EQ(dots, 150U);
  series.line = true;
  EXPECT_THAT(line_chart({{}, {series}}), Not(HasSubstr("r=\"2.6\"")));
}

TEST(LineChart, IsTheSameEachTime) {
  const LineChart chart{{"t", "x", "y"}, {{"a", {0, 0.1, 0.3}, {1e-9, 5, 2}, true}}};
  EXPECT_EQ(line_chart(chart), line_chart(chart));
}

}  // namespace
}  // namespace ventris::figures
