#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "figures/axes.h"

namespace ventris::figures {

/// Counts of whole numbers in bins of equal width.
struct Bins {
  std::vector<double> edges;    ///< one more than `heights`; empty if nothing was counted
  std::vector<double> heights;  ///< the last one also counts larger numbers
  int64_t past = 0;             ///< how many larger numbers the last one counts
};

/// At most `most` bins for counts[number]. Their width is 1, 2 or 5 times a power of ten. They cover 99.9 % of what was
/// counted, and at least the number `reach` (so that two histograms can have the same bins).
Bins bins_of(std::span<const uint64_t> counts, size_t most, size_t reach = 0);

/// Bars side by side; all series have the same bins.
struct BarChart {
  ChartTexts texts;
  std::vector<double> edges;
  std::vector<std::string> names;            ///< of the series
  std::vector<std::vector<double>> heights;  ///< [series][bin], at least 0
  bool open_end = false;                     ///< the last bin also counts larger numbers, and its label says so
  double width = 720, height = 320;          ///< pixels
};

/// The chart as an SVG document, which shows the counts of the bin under the pointer. Bins hold whole numbers. Throws
/// std::invalid_argument for inconsistent sizes.
std::string bar_chart(const BarChart& chart);

}  // namespace ventris::figures
