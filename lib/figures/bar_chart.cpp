#include "figures/bar_chart.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "figures/colours.h"

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
  const Frame frame{64, 50, chart.width - 16, chart.height - 46};
  double most = 0;
  for (const auto& heights : chart.heights) {
    for (const double height : heights) most = std::max(most, height);
  }
  const bool empty = chart.edges.size() < 2;
  Scale x(ScaleKind::kLinear, empty ? 0 : chart.edges.front(), empty ? 1 : chart.edges.back());
  Scale y =
      Scale(ScaleKind::kLinear, 0, most > 0 ? most : 1).rounded(static_cast<int>((frame.bottom - frame.top) / 40));
  draw_axes(svg, frame, chart.texts, x, y);
  draw_legend(svg, frame.left, 39, chart.names);
  const auto series = static_cast<double>(chart.heights.size());
  for (size_t s = 0; s < chart.heights.size(); ++s) {
    for (size_t bin = 0; bin < chart.heights[s].size(); ++bin) {
      const double left = x.at(chart.edges[bin]), width = (x.at(chart.edges[bin + 1]) - left) * 0.86 / series;
      const double top = y.at(chart.heights[s][bin]);
      if (chart.heights[s][bin] <= 0) continue;
      svg.rect(left + (static_cast<double>(s) + 0.08 * series) * width, top, width, frame.bottom - top,
               series_colour(s));
    }
  }
  return svg.finish();
}

}  // namespace ventris::figures
