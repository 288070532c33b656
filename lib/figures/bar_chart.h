#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "figures/axes.h"

namespace ventris::figures {

/// Counts of whole numbers, put together in bins of one width.
struct Bins {
  std::vector<double> edges;    ///< one more than heights; empty if nothing was counted
  std::vector<double> heights;  ///< the last one also has what lies past it
  int64_t past = 0;             ///< how many that is
};

/// Bins of counts[number], at most `most` of them; a width of 1, 2 or 5 times a power of ten. They reach as far as
/// 99.9 % of what was counted, and at least to the number `reach` (so that two histograms can share their bins).
Bins bins_of(std::span<const uint64_t> counts, size_t most, size_t reach = 0);

/// Bars side by side over bins that all series share.
struct BarChart {
  ChartTexts texts;
  std::vector<double> edges;
  std::vector<std::string> names;            ///< of the series
  std::vector<std::vector<double>> heights;  ///< [series][bin], at least 0
  double width = 720, height = 320;          ///< pixels
};

/// The chart as an SVG document. Throws std::invalid_argument if sizes do not fit.
std::string bar_chart(const BarChart& chart);

}  // namespace ventris::figures
