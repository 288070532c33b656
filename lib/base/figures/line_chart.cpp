#include "figures/line_chart.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "figures/hover.h"

namespace ventris::figures {
namespace {

constexpr size_t kMostMarkers = 60;
constexpr double kSpotWidth = 6;  // pixels, at least

struct Range {
  double low = 0, high = 0;
  bool empty = true;

  void add(double value) {
    low = empty ? value : std::min(low, value);
    high = empty ? value : std::max(high, value);
    empty = false;
  }
};

bool usable(double value, ScaleKind kind) { return std::isfinite(value) && (kind == ScaleKind::kLinear || value > 0); }

bool usable(const LineChart& chart, const Series& series, size_t i) {
  return usable(series.x[i], chart.x_scale) && usable(series.y[i], chart.y_scale);
}

/// The points to draw: all, or of each group of `bucket` points the first, lowest, highest and last.
std::vector<size_t> thinned(const Series& series, size_t most) {
  const size_t count = series.x.size(), bucket = std::max<size_t>(1, 4 * count / std::max<size_t>(most, 1));
  std::vector<size_t> kept;
  for (size_t begin = 0; begin < count; begin += bucket) {
    const size_t end = std::min(begin + bucket, count);
    const auto by_y = [&](size_t a, size_t b) { return series.y[a] < series.y[b]; };
    std::vector<size_t> part;
    for (size_t i = begin; i < end; ++i) part.push_back(i);
    if (part.size() <= 4) {
      kept.insert(kept.end(), part.begin(), part.end());
      continue;
    }
    std::set<size_t> chosen{begin, end - 1};
    for (const size_t i : part) {  // gaps stay gaps
      if (!std::isfinite(series.y[i])) chosen.insert(i);
    }
    std::erase_if(part, [&](size_t i) { return !std::isfinite(series.y[i]); });
    if (!part.empty()) {
      chosen.insert(*std::min_element(part.begin(), part.end(), by_y));
      chosen.insert(*std::max_element(part.begin(), part.end(), by_y));
    }
    kept.insert(kept.end(), chosen.begin(), chosen.end());
  }
  return kept;
}

void draw_series(Svg& svg, const LineChart& chart, size_t which, const Scale& x, const Scale& y) {
  const Series& series = chart.series[which];
  const LineStyle style = LegendEntry{"", which}.line();
  std::string path;
  bool joined = false;
  const auto points = thinned(series, static_cast<size_t>(2 * chart.width));
  for (const size_t i : points) {
    if (!usable(chart, series, i)) {
      joined = false;
      continue;
    }
    path += (joined ? "L" : "M") + number(x.at(series.x[i])) + " " + number(y.at(series.y[i]));
    joined = true;
  }
  if (series.line) svg.stroke(path, style);
  const bool dots = (series.markers || series.x.size() <= 1) && points.size() <= kMostMarkers;
  if (series.line && !dots) return;
  for (const size_t i : points) {
    if (usable(chart, series, i)) svg.circle(x.at(series.x[i]), y.at(series.y[i]), 2.6, style.colour);
  }
}

/// The order of drawing: a long curve must not hide a short one on the same points.
std::vector<size_t> longest_first(const std::vector<Series>& series) {
  std::vector<size_t> order(series.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](size_t i) { return series[i].x.size(); });
  return order;
}

/// The points that one spot shows: of each series, at most one.
using Shown = std::map<size_t, size_t>;

std::string told(const Series& series, size_t point, double x) {
  std::string text = series.name.empty() ? "" : shortened(series.name, 24) + " ";
  text += value_text(series.y[point]);
  return series.x[point] == x ? text : text + " (at " + value_text(series.x[point]) + ")";
}

Spot spot_of(const LineChart& chart, const Shown& shown) {
  const double x = chart.series[shown.begin()->first].x[shown.begin()->second];
  Spot spot;
  spot.lines.push_back({chart.texts.x_label + " " + value_text(x), {}});
  for (const auto& [which, point] : shown) {
    spot.lines.push_back({told(chart.series[which], point, x), LegendEntry{"", which}.colour()});
  }
  return spot;
}

/// A spot for each few pixels in which there are points. Together they cover the frame.
std::vector<Spot> spots_of(const LineChart& chart, const Frame& frame, const Scale& x) {
  std::map<int, Shown> places;
  for (size_t which = 0; which < chart.series.size(); ++which) {
    const Series& series = chart.series[which];
    for (size_t i = 0; i < series.x.size(); ++i) {
      if (usable(chart, series, i)) places[static_cast<int>((x.at(series.x[i]) - frame.left) / kSpotWidth)][which] = i;
    }
  }
  std::vector<Spot> spots;
  double middle_before = 0;
  for (const auto& [place, shown] : places) {
    Spot spot = spot_of(chart, shown);
    const double middle = frame.left + (place + 0.5) * kSpotWidth;
    spot.left = spots.empty() ? frame.left : (middle_before + middle) / 2;
    if (!spots.empty()) spots.back().right = spot.left;
    middle_before = middle;
    spots.push_back(std::move(spot));
  }
  if (!spots.empty()) spots.back().right = frame.right;
  return spots;
}

}  // namespace

void draw_line_chart(Svg& svg, const LineChart& chart) {
  Frame frame{64, 50, chart.width - 16, chart.height - 46};
  std::vector<std::string> names;
  for (const Series& series : chart.series) names.push_back(series.name);
  const auto legend = legend_of(names, frame.right - frame.left);
  frame.top += legend_height(legend);
  Range x_range, y_range;
  for (const Series& series : chart.series) {
    for (size_t i = 0; i < series.x.size(); ++i) {
      if (!usable(chart, series, i)) continue;
      x_range.add(series.x[i]);
      y_range.add(series.y[i]);
    }
  }
  for (const double value : chart.x_range) {
    if (!x_range.empty && usable(value, chart.x_scale)) x_range.add(value);
  }
  Scale x(chart.x_scale, x_range.low, x_range.high), y(chart.y_scale, y_range.low, y_range.high);
  y = y.rounded(static_cast<int>((frame.bottom - frame.top) / 40));
  draw_axes(svg, frame, chart.texts, x, y);
  draw_legend(svg, frame.left, 39, legend);
  if (y_range.empty) {
    svg.text((frame.left + frame.right) / 2, (frame.top + frame.bottom) / 2, "no figures yet",
             {13, Anchor::kMiddle, kQuiet});
  }
  for (const size_t which : longest_first(chart.series)) draw_series(svg, chart, which, x, y);
  draw_spots(svg, frame, spots_of(chart, frame, x));
}

std::string line_chart(const LineChart& chart) {
  Svg svg(chart.width, chart.height, chart.texts.title);
  draw_line_chart(svg, chart);
  return svg.finish();
}

}  // namespace ventris::figures
