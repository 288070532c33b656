#include "figures/heat_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace ventris::figures {
namespace {

using testing::HasSubstr;
using testing::Not;

HeatMap small_map() {
  HeatMap map;
  map.title = "a map";
  map.rows = 2;
  map.columns = 3;
  map.values = {0, 0, 1, 1, 0.5, NAN};
  return map;
}

TEST(HeatMap, NeighboursOfOneShadeAreOneRectangle) {
  const std::string svg = heat_map(small_map());
  EXPECT_THAT(svg, HasSubstr("<path d=\"M0 0h2v1H0z\" fill=\"#ffffff\""));
  EXPECT_THAT(svg, HasSubstr("<path d=\"M2 0h1v1H2zM0 1h1v1H0z\" fill=\"#08285c\""));
  EXPECT_THAT(svg, HasSubstr("<path d=\"M2 1h1v1H2z\" fill=\"#dddddd\""));  // no number
}

TEST(HeatMap, LabelsAreEscapedAndShortened) {
  HeatMap map = small_map();
  map.row_labels = {"<s>", "\u2581\u05E9\u05DC\u05D5\u05DD"};
  map.column_labels = {"&", "b", "abcdefghijklmnopqrstuvwxyz"};
  const std::string svg = heat_map(map);
  for (const char* label :
       {">&lt;s&gt;<", ">\u2581\u05E9\u05DC\u05D5\u05DD<", ">&amp;<", ">abcdefghijklmnopqrs\u2026<"}) {
    EXPECT_THAT(svg, HasSubstr(label));
  }
}

TEST(HeatMap, ValuesArePrintedWhereThatIsWanted) {
  HeatMap map = small_map();
  EXPECT_THAT(heat_map(map), Not(HasSubstr(">0.5</text>\n<text x=\"1")));
  map.values = {0.25, 0, 1, 1, 0.5, 0.125};
  map.print_values = true;
  EXPECT_THAT(heat_map(map), HasSubstr(">0.12</text>"));
}

TEST(HeatMap, WithoutLabelsRowsAndColumnsAreNumbered) {
  HeatMap map;
  map.rows = map.columns = 100;
  map.values.assign(10000, 0.5F);
  const std::string svg = heat_map(map);
  EXPECT_THAT(svg, HasSubstr(">20</text>"));
  EXPECT_LT(svg.size(), 20000U);  // though there are 10,000 cells
}

TEST(HeatMap, AMapOfStatesHasTwoColoursAndTheirMeanings) {
  HeatMap map = small_map();
  map.values = {0, 0.2F, 0.4F, 0.6F, 0.8F, 1};
  map.states = {"hidden", "seen"};
  const std::string svg = heat_map(map);
  EXPECT_THAT(svg, Not(HasSubstr("fill=\"#08285c\"")));  // no shades of a palette
  for (const Colour colour : {kOff, kOn}) EXPECT_THAT(svg, HasSubstr("fill=\"" + hex(colour.light) + "\""));
  for (const char* text : {">seen</text>", ">hidden</text>", "\nseen</title>"}) EXPECT_THAT(svg, HasSubstr(text));
}

TEST(HeatMap, ACellSaysItsRowColumnAndValueUnderThePointer) {
  HeatMap map = small_map();
  map.y_label = "target";
  map.row_labels = {"<r>", "s"};
  const std::string svg = heat_map(map);
  EXPECT_THAT(svg, HasSubstr("<title>target: &lt;r&gt;\n2\n1</title>"));
  EXPECT_THAT(svg, HasSubstr("<title>target: s\n1\n0.5</title>"));
  EXPECT_THAT(svg, Not(HasSubstr("\n0</title>")));  // pale cells say nothing
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST(ScaleEnd, IsARoundNumberThatCoversTheValues) {
  EXPECT_FLOAT_EQ(scale_end(0), 1);
  EXPECT_FLOAT_EQ(scale_end(-1), 1);
  EXPECT_FLOAT_EQ(scale_end(NAN), 1);
  EXPECT_FLOAT_EQ(scale_end(0.3F), 1);
  EXPECT_FLOAT_EQ(scale_end(1.5F), 1.5F);
  EXPECT_FLOAT_EQ(scale_end(0.25F), 0.5F);
  EXPECT_FLOAT_EQ(scale_end(0.17F), 0.2F);
  EXPECT_FLOAT_EQ(scale_end(0.034F), 0.05F);
  EXPECT_FLOAT_EQ(scale_end(0.0099F), 0.01F);
}

TEST(HeatMap, SizesThatDoNotFitAreRefused) {
  HeatMap map = small_map();
  map.values.pop_back();
  EXPECT_THROW(heat_map(map), std::invalid_argument);
  map = small_map();
  map.row_labels = {"one"};
  EXPECT_THROW(heat_map(map), std::invalid_argument);
  map = small_map();
  map.high = map.low;
  EXPECT_THROW(heat_map(map), std::invalid_argument);
}

}  // namespace
}  // namespace ventris::figures
