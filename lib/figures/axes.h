#pragma once
#include <string>
#include <vector>

#include "figures/svg.h"

namespace ventris::figures {

enum class ScaleKind { kLinear, kLog };

/// From values to pixels along one axis, with ticks at round numbers.
class Scale {
 public:
  /// A linear scale from `low` to `high`, which may be equal. A logarithmic one needs low > 0; without it, it is
  /// linear.
  Scale(ScaleKind kind, double low, double high);

  /// The same, widened to the ticks round it.
  Scale rounded(int ticks) const;

  /// The pixels that the ends stand for.
  void place(double from, double to);

  double at(double value) const;  ///< in pixels
  bool shows(double value) const;  ///< whether the value is finite and has a place on the scale

  /// Round values from low to high, about so many.
  std::vector<double> ticks(int count) const;

 private:
  double position(double value) const;

  ScaleKind kind_;
  double low_, high_, from_ = 0, to_ = 1;
};

/// How ticks are written, all in one unit: "0.5", "20k", "1.5M", "5e-4".
std::vector<std::string> tick_labels(const std::vector<double>& ticks);

/// Where a chart's data are drawn, in pixels.
struct Frame {
  double left, top, right, bottom;
};

/// What is written round a chart.
struct ChartTexts {
  std::string title, x_label, y_label;
};

/// Title, grid, ticks and labels. Places the scales into the frame.
void draw_axes(Svg& svg, const Frame& frame, const ChartTexts& texts, Scale& x, Scale& y);

/// Names of the series with their colours, from (x, y) to the right; none for one series without a name.
void draw_legend(Svg& svg, double x, double y, const std::vector<std::string>& names);

}  // namespace ventris::figures
