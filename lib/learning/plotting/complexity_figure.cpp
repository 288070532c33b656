#include "plotting/complexity_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "core/json_reader.h"
#include "figures/line_chart.h"
#include "plotting/chart_grid.h"
#include "plotting/measured_points.h"
#include "text/valid_utf8.h"

namespace ventris::plotting {
namespace {

/// A layer that was measured on one sequence.
struct Point {
  std::string kind;
  int64_t n = 0, d = 0;  // length of the sequence, width of a position
  double seconds = 0, mib = 0;
};

Point read_point(core::JsonReader& reader) {
  Point point;
  double forward = 0, backward = 0;
  reader.required("kind", point.kind);
  reader.required("n", point.n);
  reader.required("d", point.d);
  reader.required("forward", forward);
  reader.required("backward", backward);
  reader.required("mib", point.mib);
  point.kind = text::replace_invalid_utf8(point.kind);
  point.seconds = forward + backward;
  return point;
}

/// The largest `value` that all kinds have; if there is none, the largest of all.
int64_t largest_common(const std::vector<Point>& points, int64_t Point::* value) {
  std::map<std::string, int64_t> largest;
  for (const Point& point : points) largest[point.kind] = std::max(largest[point.kind], point.*value);
  const auto less = [](const auto& a, const auto& b) { return a.second < b.second; };
  return std::ranges::min_element(largest, less)->second;
}

struct Axes {
  std::string title, x_label, y_label;
  int64_t Point::* x;
  double Point::* y;
  int64_t Point::* fixed;  // only points with this value of it
  int64_t at;
};

/// One line for each kind, in the order of the file.
figures::LineChart chart_of(const std::vector<Point>& points, const Axes& axes) {
  figures::LineChart chart;
  chart.texts = {axes.title, axes.x_label, axes.y_label};
  chart.x_scale = chart.y_scale = figures::ScaleKind::kLog;
  chart.width = 560;
  chart.height = 340;
  for (const Point& point : points) {
    const auto same_kind = [&](const figures::Series& series) { return series.name == point.kind; };
    auto found = std::ranges::find_if(chart.series, same_kind);
    if (found == chart.series.end()) {
      chart.series.push_back({point.kind, {}, {}, /*markers=*/true});
      found = chart.series.end() - 1;
    }
    if (point.*axes.fixed != axes.at) continue;
    found->x.push_back(static_cast<double>(point.*axes.x));
    found->y.push_back(point.*axes.y);
  }
  return chart;
}

}  // namespace

std::string complexity_figure(const std::string& file) {
  const std::vector<Point> points = measured_points(file, "complexity.py", read_point);
  const int64_t d = largest_common(points, &Point::d), n = largest_common(points, &Point::n);
  const std::string length = "length n", width = "width d", seconds = "seconds", mib = "MiB";
  const std::vector<figures::LineChart> charts{
      chart_of(points, {fmt::format("Time, d = {}", d), length, seconds, &Point::n, &Point::seconds, &Point::d, d}),
      chart_of(points, {fmt::format("Memory, d = {}", d), length, mib, &Point::n, &Point::mib, &Point::d, d}),
      chart_of(points, {fmt::format("Time, n = {}", n), width, seconds, &Point::d, &Point::seconds, &Point::n, n})};
  return chart_grid("Cost of a layer, forward and backward", charts, 3);
}

}  // namespace ventris::plotting
