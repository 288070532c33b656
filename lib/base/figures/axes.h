#pragma once
#include <string>
#include <vector>

#include "figures/svg.h"

namespace ventris::figures {

enum class ScaleKind { kLinear, kLog };

/// Maps values to pixels along one axis, with ticks at round numbers.
class Scale {
 public:
  /// A scale from `low` to `high`, which may be equal. A logarithmic scale needs low > 0; otherwise the scale is
  /// linear.
  Scale(ScaleKind kind, double low, double high);

  /// The same scale, extended to the next ticks.
  Scale rounded(int ticks) const;

  /// Sets the pixels of the two ends.
  void place(double from, double to);

  double at(double value) const;  ///< the pixel of a value
  bool shows(double value) const;  ///< whether the value is finite and can be shown on the scale

  /// About `count` round values from low to high.
  std::vector<double> ticks(int count) const;

 private:
  double position(double value) const;

  ScaleKind kind_;
  double low_, high_, from_ = 0, to_ = 1;
};

/// The labels of ticks, all in the same unit: "0.5", "20k", "1.5M", "5e-4".
std::vector<std::string> tick_labels(const std::vector<double>& ticks);

/// The area of a chart's data, in pixels.
struct Frame {
  double left, top, right, bottom;
};

/// The title and axis labels of a chart.
struct ChartTexts {
  std::string title, x_label, y_label;
};

/// A mark at the end of the x axis, in place of the ticks that are too near to it.
struct AxisMarks {
  std::string last_label;  ///< empty = none
  double last = 0;         ///< where on the axis
};

/// Draws title, grid, ticks and labels. Places the scales in the frame.
void draw_axes(Svg& svg, const Frame& frame, const ChartTexts& texts, Scale& x, Scale& y, const AxisMarks& marks = {});

/// The name of a series in a legend, and where it stands.
struct LegendEntry {
  std::string name;
  size_t series = 0;
  double x = 0;  ///< pixels from the left end of the legend
  int row = 0;

  Colour colour() const;
  LineStyle line() const;  ///< the series after those that have colours of their own are dashed
};

/// The names of the series in as many rows as they need; none for one series without a name.
std::vector<LegendEntry> legend_of(const std::vector<std::string>& names, double width);

inline constexpr double kLegendRow = 16;  ///< pixels from row to row

/// The pixels that the rows after the first one need.
double legend_height(const std::vector<LegendEntry>& legend);

/// Draws the legend with the text of its first row on y.
void draw_legend(Svg& svg, double x, double y, const std::vector<LegendEntry>& legend);

}  // namespace ventris::figures
