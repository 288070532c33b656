#include "figures/hover.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/human.h"

namespace ventris::figures {
namespace {

constexpr double kSize = 11, kRow = 15, kRoom = 7, kDotRoom = 11;

double width_of(const std::vector<TipLine>& lines) {
  double width = 0;
  for (const TipLine& line : lines) width = std::max(width, text_width(line.text, kSize) + (line.mark ? kDotRoom : 0));
  return width + 2 * kRoom;
}

/// Draws the box on the side of the spot that has more room.
void draw_tip(Svg& svg, const Frame& frame, const Spot& spot) {
  const double width = width_of(spot.lines), height = static_cast<double>(spot.lines.size()) * kRow + kRoom;
  const bool to_the_right = spot.left + spot.right < frame.left + frame.right;
  const double wanted = to_the_right ? spot.right + 5 : spot.left - 5 - width, top = frame.top + 3;
  const double x = std::max(2.0, std::min(wanted, frame.right + 12 - width));
  svg.rect(x - 1, top - 1, width + 2, height + 2, kBorder);
  svg.rect(x, top, width, height, kGround);
  for (size_t i = 0; i < spot.lines.size(); ++i) {
    const TipLine& line = spot.lines[i];
    const double base = top + static_cast<double>(i + 1) * kRow - 2;
    if (line.mark) svg.circle(x + kRoom + 4, base - 4, 3.5, *line.mark);
    svg.text(x + kRoom + (line.mark ? kDotRoom : 0), base, line.text, {kSize});
  }
}

}  // namespace

void draw_spots(Svg& svg, const Frame& frame, const std::vector<Spot>& spots) {
  for (const Spot& spot : spots) {
    svg.begin_spot(spot.left, frame.top, spot.right - spot.left, frame.bottom - frame.top);
    svg.begin_tip();
    draw_tip(svg, frame, spot);
    svg.end();
    svg.end();
  }
}

std::string value_text(double value) {
  const double size = std::abs(value);
  const bool whole = value == std::floor(value);
  if (size < 1e15 && (whole || size >= 1e4)) return core::grouped(std::llround(value));
  return fmt::format("{:.4g}", value);
}

}  // namespace ventris::figures
