#include "figures/hover.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <regex>

namespace ventris::figures {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr Frame kFrame{60, 40, 460, 240};

std::string drawn(const std::vector<Spot>& spots) {
  Svg svg(480, 280, "");
  draw_spots(svg, kFrame, spots);
  return svg.finish();
}

/// Left end and width of each box with values: of two rectangles, the inner one.
std::vector<std::pair<double, double>> boxes(const std::string& svg) {
  const std::regex box("<rect x=\"([-0-9.]+)\" y=\"43\" width=\"([0-9.]+)\"");  // 3 pixels below the frame's top
  std::vector<std::pair<double, double>> found;
  for (std::sregex_iterator it(svg.begin(), svg.end(), box), end; it != end; ++it) {
    found.emplace_back(std::stod((*it)[1]), std::stod((*it)[2]));
  }
  return found;
}

TEST(Spots, CoverTheWholeHeightAndShowTheirValuesOnlyUnderThePointer) {
  const std::string svg = drawn({{60, 160, {{"update 5", {}}, {"a < b 2.5", kOn}}}});
  EXPECT_THAT(svg, HasSubstr("<g class=\"spot\"><rect x=\"60\" y=\"40\" width=\"100\" height=\"200\" "
                             "fill-opacity=\"0\""));
  EXPECT_THAT(svg, HasSubstr("<g class=\"tip\" display=\"none\" pointer-events=\"none\">"));
  EXPECT_THAT(svg, HasSubstr(".spot:hover > .tip { display: inline; }"));
  EXPECT_THAT(svg, HasSubstr(">a &lt; b 2.5</text>"));
  EXPECT_THAT(svg, Not(HasSubstr("<script")));
}

TEST(Spots, OnlyLinesOfASeriesHaveADotInItsColour) {
  const std::string svg = drawn({{60, 160, {{"update 5", {}}, {"loss", kOn}, {"norm", kOff}}}});
  const std::regex dot("<circle [^>]*fill=\"(#[0-9a-f]+)\"");
  std::vector<std::string> colours;
  for (std::sregex_iterator it(svg.begin(), svg.end(), dot), end; it != end; ++it) colours.push_back((*it)[1]);
  EXPECT_EQ(colours, (std::vector<std::string>{hex(kOn.light), hex(kOff.light)}));
}

TEST(Spots, TheirBoxIsOnTheSideWithMoreRoomAndInsideTheDrawing) {
  const auto found = boxes(drawn({{60, 80, {{"left", {}}}}, {440, 460, {{"right", {}}}}}));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].first, 85);  // 5 pixels right of the spot
  EXPECT_NEAR(found[1].first + found[1].second, 435, 1e-6);  // 5 pixels left of it
  const std::string wide(60, 'w');
  for (const auto& [x, width] : boxes(drawn({{60, 80, {{wide, {}}}}, {440, 460, {{wide, {}}}}}))) {
    EXPECT_GE(x, 2);
    EXPECT_LE(x + width, kFrame.right + 12.01);
  }
}

TEST(Spots, ABoxIsAsHighAsItsLines) {
  const auto height = [](size_t lines) {
    const std::string svg = drawn({{60, 80, std::vector<TipLine>(lines, {"x", {}})}});
    std::smatch found;
    std::regex_search(svg, found, std::regex("y=\"43\" width=\"[0-9.]+\" height=\"([0-9.]+)\""));
    return std::stod(found[1]);
  };
  EXPECT_GT(height(1), 15);
  EXPECT_EQ(height(4) - height(3), height(2) - height(1));
}

TEST(ValueText, IsShortAndGrouped) {
  EXPECT_EQ(value_text(0), "0");
  EXPECT_EQ(value_text(-0.0), "0");
  EXPECT_EQ(value_text(1200), "1,200");
  EXPECT_EQ(value_text(-1234567), "-1,234,567");
  EXPECT_EQ(value_text(12345.6), "12,346");
  EXPECT_EQ(value_text(0.0004), "0.0004");
  EXPECT_EQ(value_text(2.34567), "2.346");
  EXPECT_EQ(value_text(1e-7), "1e-07");
  EXPECT_EQ(value_text(1e300), "1e+300");
  EXPECT_EQ(value_text(std::numeric_limits<double>::quiet_NaN()), "nan");
}

}  // namespace
}  // namespace ventris::figures
