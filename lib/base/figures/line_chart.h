#pragma once
#include <string>
#include <vector>

#include "figures/axes.h"

namespace ventris::figures {

/// Points, usually connected by a line, in the order of x. Where a value is not finite (or, on a logarithmic axis, not
/// over 0), the line has a gap.
struct Series {
  std::string name;
  std::vector<double> x, y;  ///< of the same size
  bool markers = false;      ///< a dot on each point, if they are not too many
  bool line = true;          ///< false: only a dot on each point
};

struct LineChart {
  ChartTexts texts;
  std::vector<Series> series;
  ScaleKind x_scale = ScaleKind::kLinear, y_scale = ScaleKind::kLinear;
  double width = 720, height = 360;  ///< pixels
  std::vector<double> x_range = {};  ///< values that the x axis shows in any case, so that several charts can share it
};

/// The chart as an SVG document; without points, it has a text that says so. Of a series with more points than pixels,
/// only the first, lowest, highest and last point of every one or two pixels are drawn, which looks the same. Under the
/// pointer, the chart shows the values that are there.
std::string line_chart(const LineChart& chart);

/// The same as a part of another drawing, from its top left corner on.
void draw_line_chart(Svg& svg, const LineChart& chart);

}  // namespace ventris::figures
