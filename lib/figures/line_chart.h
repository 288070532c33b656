#pragma once
#include <string>
#include <vector>

#include "figures/axes.h"

namespace ventris::figures {

/// Points joined by a line, in the order of x. Where a value is not finite (or not over 0 on a logarithmic axis) the
/// line is broken.
struct Series {
  std::string name;
  std::vector<double> x, y;  ///< of one size
  bool markers = false;      ///< a dot on each point
};

struct LineChart {
  ChartTexts texts;
  std::vector<Series> series;
  ScaleKind x_scale = ScaleKind::kLinear, y_scale = ScaleKind::kLinear;
  double width = 720, height = 360;  ///< pixels
};

/// The chart as an SVG document; one that says so if there is no point to draw. A series with more points than pixels
/// is drawn by the first, least, greatest and last point of each pixel or two, which looks the same.
std::string line_chart(const LineChart& chart);

}  // namespace ventris::figures
