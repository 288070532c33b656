#include "figures/line_chart.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "figures/colours.h"

namespace ventris::figures {
namespace {

constexpr size_t kMostMarkers = 60;

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
  const auto colour = series_colour(which);
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
  if (series.line) svg.stroke(path, {colour, 1.8});
  const bool dots = (series.markers || series.x.size() <= 1) && points.size() <= kMostMarkers;
  if (series.line && !dots) return;
  for (const size_t i : points) {
    if (usable(chart, series, i)) svg.circle(x.at(series.x[i]), y.at(series.y[i]), 2.6, colour);
  }
}

}  // namespace

void draw_line_chart(Svg& svg, const LineChart& chart) {
  const Frame frame{64, 50, chart.width - 16, chart.height - 46};
  Range x_range, y_range;
  std::vector<std::string> names;
  for (const Series& series : chart.series) {
    names.push_back(series.name);
    for (size_t i = 0; i < series.x.size(); ++i) {
      if (!usable(chart, series, i)) continue;
      x_range.add(series.x[i]);
      y_range.add(series.y[i]);
    }
  }
  Scale x(chart.x_scale, x_range.low, x_range.high), y(chart.y_scale, y_range.low, y_range.high);
  y = y.rounded(static_cast<int>((frame.bottom - frame.top) / 40));
  draw_axes(svg, frame, chart.texts, x, y);
  draw_legend(svg, frame.left, 39, names);
  if (y_range.empty) {
    svg.text((frame.left + frame.right) / 2, (frame.top + frame.bottom) / 2, "no figures yet",
             {13, Anchor::kMiddle, "#888888"});
  }
  for (size_t i = 0; i < chart.series.size(); ++i) draw_series(svg, chart, i, x, y);
}

std::string line_chart(const LineChart& chart) {
  Svg svg(chart.width, chart.height, chart.texts.title);
  draw_line_chart(svg, chart);
  return svg.finish();
}

}  // namespace ventris::figures
