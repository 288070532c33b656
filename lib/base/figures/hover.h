#pragma once
#include <optional>
#include <string>
#include <vector>

#include "figures/axes.h"

namespace ventris::figures {

/// A line of the box that a chart shows while the pointer is over it.
struct TipLine {
  std::string text;
  std::optional<Colour> mark;  ///< a dot before the text
};

/// A part of a chart, from left to right in pixels, with the values that are shown while the pointer is over it.
struct Spot {
  double left = 0, right = 0;
  std::vector<TipLine> lines;
};

/// Draws an area for each spot over the whole height of the frame. It works without scripts, and by touch.
void draw_spots(Svg& svg, const Frame& frame, const std::vector<Spot>& spots);

/// A value for reading: "1,200", "0.0004", "2.345".
std::string value_text(double value);

}  // namespace ventris::figures
