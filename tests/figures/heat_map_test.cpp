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

TEST(HeatMapGrid, HoldsEveryMap) {
  HeatMap other = small_map();
  other.title = "another map";
  const std::string svg = heat_map_grid("both", {small_map(), other});
  for (const char* title : {">both<", ">a map<", ">another map<"}) EXPECT_THAT(svg, HasSubstr(title));
}

TEST(ChartsOverMaps, HoldsEveryChartAndEveryMap) {
  LineChart chart;
  chart.texts.title = "a chart";
  chart.series = {{"curve", {1, 2}, {3, 4}}};
  HeatMap other = small_map();
  other.title = "another map";
  const std::string svg = charts_over_maps("all", {{chart, small_map()}, {chart, other}});
  for (const char* title : {">all<", ">a chart<", ">a map<", ">another map<"}) EXPECT_THAT(svg, HasSubstr(title));
  EXPECT_THROW(charts_over_maps("none", {}), std::invalid_argument);
  other.values.pop_back();
  EXPECT_THROW(charts_over_maps("none", {{chart, other}}), std::invalid_argument);
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
  EXPECT_THROW(heat_map_grid("", {}), std::invalid_argument);
}

}  // namespace
}  // namespace ventris::figures
