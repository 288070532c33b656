#include "plotting/chart_grid.h"

namespace ventris::plotting {
namespace {

constexpr double kTitleHeight = 34;

}  // namespace

std::string chart_grid(const std::string& title, const std::vector<figures::LineChart>& charts, size_t columns) {
  const double width = charts.front().width, height = charts.front().height;
  const size_t rows = (charts.size() + columns - 1) / columns;
  figures::Svg svg(width * static_cast<double>(columns), kTitleHeight + height * static_cast<double>(rows), title);
  svg.text(12, 22, title, {15, figures::Anchor::kStart, figures::kTitle, true});
  for (size_t i = 0; i < charts.size(); ++i) {
    svg.begin_part(width * static_cast<double>(i % columns), kTitleHeight + height * static_cast<double>(i / columns));
    figures::draw_line_chart(svg, charts[i]);
    svg.end();
  }
  return svg.finish();
}

}  // namespace ventris::plotting
