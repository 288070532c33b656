#include "plotting/chart_grid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/svg.h"

namespace ventris::plotting {
namespace {

using testing::HasSubstr;

std::vector<figures::LineChart> charts(size_t count) {
  figures::LineChart chart;
  chart.width = 100;
  chart.height = 80;
  chart.series = {{"line", {1, 2}, {1, 2}, /*markers=*/true}};
  return std::vector<figures::LineChart>(count, chart);
}

TEST(ChartGrid, HasRowsOfSoManyColumnsBelowItsTitle) {
  const std::string svg = chart_grid("All of them", charts(5), 2);
  EXPECT_THAT(svg, HasSubstr("width=\"200\" height=\"274\""));  // 34 for the title, three rows of 80
  EXPECT_THAT(svg, HasSubstr(">All of them<"));
  EXPECT_EQ(test::count_shown(svg, "<circle"), 5U * 2U);
}

TEST(ChartGrid, PlacesChartsRowByRow) {
  const std::string svg = chart_grid("t", charts(3), 2);
  for (const char* place : {"translate(0 34)", "translate(100 34)", "translate(0 114)"}) {
    EXPECT_THAT(svg, HasSubstr(place));
  }
}

}  // namespace
}  // namespace ventris::plotting
