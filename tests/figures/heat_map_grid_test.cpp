#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <stdexcept>
#include <utility>

#include "figures/heat_map.h"

namespace ventris::figures {
namespace {

using testing::HasSubstr;
using testing::Not;

HeatMap named_map(const std::string& title, size_t columns = 3) {
  HeatMap map;
  map.title = title;
  map.rows = 2;
  map.columns = columns;
  map.values.assign(2 * columns, 0.5F);
  return map;
}

std::vector<HeatMap> maps(size_t count, size_t columns = 3) {
  std::vector<HeatMap> all;
  for (size_t i = 0; i < count; ++i) all.push_back(named_map("map " + std::to_string(i), columns));
  return all;
}

/// How many different places the cells of the maps have, from left to right and from top to bottom.
std::pair<size_t, size_t> places(const std::string& svg) {
  const std::regex cells("<g transform=\"translate\\(([0-9.]+) ([0-9.]+)\\) scale");
  std::vector<std::pair<std::string, std::string>> found;
  for (std::sregex_iterator it(svg.begin(), svg.end(), cells), end; it != end; ++it) {
    found.emplace_back((*it)[1], (*it)[2]);
  }
  found.pop_back();  // the colour scale
  std::set<std::string> across, down;
  for (const auto& [x, y] : found) {
    across.insert(x);
    down.insert(y);
  }
  return {across.size(), down.size()};
}

using Grid = std::pair<size_t, size_t>;

TEST(HeatMapGrid, HoldsEveryMapAndOneScale) {
  std::vector<HeatMap> all{named_map("a map"), named_map("another map")};
  for (HeatMap& map : all) map.high = 0.7F;
  const std::string svg = heat_map_grid("both", all), end_of_scale = ">0.7</text>";
  for (const std::string& text :
       {std::string(">both<"), std::string(">a map<"), std::string(">another map<"), end_of_scale})
    EXPECT_THAT(svg, HasSubstr(text));
  EXPECT_EQ(svg.find(end_of_scale, svg.find(end_of_scale) + 1), svg.npos);
}

TEST(HeatMapGrid, HasRowsOfEqualLengthInAboutASquare) {
  EXPECT_EQ(places(heat_map_grid("", maps(1))), Grid(1, 1));
  EXPECT_EQ(places(heat_map_grid("", maps(2))), Grid(2, 1));
  EXPECT_EQ(places(heat_map_grid("", maps(4))), Grid(2, 2));
  EXPECT_EQ(places(heat_map_grid("", maps(6))), Grid(3, 2));
  EXPECT_EQ(places(heat_map_grid("", maps(8))), Grid(4, 2));
  EXPECT_EQ(places(heat_map_grid("", maps(9))), Grid(3, 3));
  EXPECT_EQ(places(heat_map_grid("", maps(5))), Grid(3, 2));  // two in the last row
}

TEST(HeatMapGrid, WideMapsStandOneBelowTheOther) { EXPECT_EQ(places(heat_map_grid("", maps(4, 200))), Grid(1, 4)); }

TEST(HeatMapGrid, TextsStandAboveTheMapsAndLongOnesAreWrappedAndCut) {
  const std::string svg = heat_map_grid("title", maps(4), {"the sentence", "its <translation>"});
  EXPECT_LT(svg.find(">the sentence<"), svg.find(">its &lt;translation&gt;<"));
  EXPECT_LT(svg.find(">its &lt;translation&gt;<"), svg.find(">map 0<"));
  std::string words;
  for (int i = 0; i < 1000; ++i) words += "word ";
  const std::string cut = heat_map_grid("title", maps(4), {words + "last"});
  EXPECT_THAT(cut, HasSubstr("\u2026</text>"));
  EXPECT_THAT(cut, Not(HasSubstr("last</text>")));
}

TEST(HeatMapGrid, MapsThatDoNotFitAreRefused) {
  EXPECT_THROW(heat_map_grid("", {}), std::invalid_argument);
  std::vector<HeatMap> all = maps(2);
  all[1].values.pop_back();
  EXPECT_THROW(heat_map_grid("", all), std::invalid_argument);
}

TEST(ChartsOverMaps, HoldsEveryChartAndEveryMap) {
  LineChart chart;
  chart.texts.title = "a chart";
  chart.series = {{"curve", {1, 2}, {3, 4}}};
  const std::string svg = charts_over_maps("all", {{chart, named_map("a map")}, {chart, named_map("another map")}});
  for (const char* title : {">all<", ">a chart<", ">a map<", ">another map<"}) EXPECT_THAT(svg, HasSubstr(title));
  EXPECT_EQ(places(svg), Grid(2, 1));
}

TEST(ChartsOverMaps, ColumnsThatDoNotFitAreRefused) {
  EXPECT_THROW(charts_over_maps("none", {}), std::invalid_argument);
  HeatMap map = named_map("a map");
  map.values.pop_back();
  EXPECT_THROW(charts_over_maps("none", {{LineChart{}, map}}), std::invalid_argument);
}

}  // namespace
}  // namespace ventris::figures
