#include "figures/bar_chart.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "figures/hover.h"

namespace ventris::figures {
namespace {

/// The number below which 99.9 % of the counts are.
size_t usual_end(std::span<const uint64_t> counts) {
  const auto all = static_cast<double>(std::accumulate(counts.begin(), counts.end(), uint64_t{0}));
  double seen = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    seen += static_cast<double>(counts[i]);
    if (seen >= 0.999 * all) return i;
  }
  return counts.empty() ? 0 : counts.size() - 1;
}

size_t round_width(size_t numbers, size_t most) {
  for (size_t power = 1;; power *= 10) {
    for (const size_t factor : {1, 2, 5}) {
      if (factor * power * most >= numbers) return factor * power;
    }
  }
}

void check(const BarChart& chart) {
  bool fits = chart.names.size() == chart.heights.size();
  for (const auto& heights : chart.heights) fits = fits && heights.size() + 1 == chart.edges.size();
  if (!fits) throw std::invalid_argument("bar_chart: edges, names and heights do not fit");
}

double highest(const BarChart& chart) {
  double most = 0;
  for (const auto& heights : chart.heights) {
    for (const double height : heights) most = std::max(most, height);
  }
  return most > 0 ? most : 1;
}

void draw_bars(Svg& svg, const BarChart& chart, size_t series, const Frame& frame, const Scale& x, const Scale& y) {
  const auto count = static_cast<double>(chart.heights.size()), place = static_cast<double>(series);
  for (size_t bin = 0; bin < chart.heights[series].size(); ++bin) {
    if (chart.heights[series][bin] <= 0) continue;
    const double left = x.at(chart.edges[bin]), width = (x.at(chart.edges[bin + 1]) - left) * 0.86 / count;
    const double top = y.at(chart.heights[series][bin]);
    svg.rect(left + (place + 0.08 * count) * width, top, width, frame.bottom - top, series_colour(series));
  }
}

/// "7 words", "10 to 19 words", "90 or more words".
std::string numbers_of(const BarChart& chart, size_t bin) {
  const double first = chart.edges[bin], last = chart.edges[bin + 1] - 1;
  std::string text = value_text(first);
  if (chart.open_end && bin + 2 == chart.edges.size())
    text += " or more";
  else if (last > first)
    text += " to " + value_text(last);
  return text + " " + chart.texts.x_label;
}

std::vector<Spot> spots_of(const BarChart& chart, const Scale& x) {
  std::vector<Spot> spots;
  for (size_t bin = 0; bin + 1 < chart.edges.size(); ++bin) {
    Spot& spot = spots.emplace_back();
    spot.left = x.at(chart.edges[bin]);
    spot.right = x.at(chart.edges[bin + 1]);
    spot.lines.push_back({numbers_of(chart, bin), {}});
    for (size_t series = 0; series < chart.names.size(); ++series) {
      const std::string name = chart.names[series].empty() ? "" : shortened(chart.names[series], 24) + " ";
      spot.lines.push_back({name + value_text(chart.heights[series][bin]), series_colour(series)});
    }
  }
  return spots;
}

/// The name of the last bin, if it also counts larger numbers.
AxisMarks marks_of(const BarChart& chart) {
  const size_t bins = chart.edges.size();
  if (!chart.open_end || bins < 2) return {};
  return {"\u2265 " + value_text(chart.edges[bins - 2]), (chart.edges[bins - 2] + chart.edges[bins - 1]) / 2};
}

}  // namespace

Bins bins_of(std::span<const uint64_t> counts, size_t most, size_t reach) {
  Bins bins;
  if (std::all_of(counts.begin(), counts.end(), [](uint64_t count) { return count == 0; })) return bins;
  const size_t last = std::max(usual_end(counts), reach), width = round_width(last + 1, most), count = last / width + 1;
  for (size_t i = 0; i <= count; ++i) bins.edges.push_back(static_cast<double>(i * width));
  bins.heights.assign(count, 0);
  for (size_t i = 0; i < counts.size(); ++i) {
    bins.heights[std::min(i / width, count - 1)] += static_cast<double>(counts[i]);
    if (i / width >= count) bins.past += static_cast<int64_t>(counts[i]);
  }
  return bins;
}

std::string bar_chart(const BarChart& chart) {
  check(chart);
  Svg svg(chart.width, chart.height, chart.texts.title);
  Frame frame{64, 50, chart.width - 16, chart.height - 46};
  const auto legend = legend_of(chart.names, frame.right - frame.left);
  frame.top += legend_height(legend);
  const bool empty = chart.edges.size() < 2;
  Scale x(ScaleKind::kLinear, empty ? 0 : chart.edges.front(), empty ? 1 : chart.edges.back());
  Scale y = Scale(ScaleKind::kLinear, 0, highest(chart)).rounded(static_cast<int>((frame.bottom - frame.top) / 40));
  draw_axes(svg, frame, chart.texts, x, y, marks_of(chart));
  draw_legend(svg, frame.left, 39, legend);
  for (size_t series = 0; series < chart.heights.size(); ++series) draw_bars(svg, chart, series, frame, x, y);
  draw_spots(svg, frame, spots_of(chart, x));
  return svg.finish();
}

}  // namespace ventris::figures
