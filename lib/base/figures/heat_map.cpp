#include "figures/heat_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "figures/axes.h"
#include "figures/heat_map_parts.h"

namespace ventris::figures {
namespace {

constexpr int kShades = 64;
constexpr size_t kLongestLabel = 20;  // characters
constexpr size_t kMostTips = 1000;
constexpr double kPale = 0.05;  // of the palette
constexpr double kLeastScale = 60;  // pixels

double widest(const std::vector<std::string>& labels, double font) {
  double width = 0;
  for (const std::string& label : labels) width = std::max(width, text_width(shortened(label, kLongestLabel), font));
  return width;
}

/// The size of a cell in pixels: printed values must be legible, and many cells must fit on a page.
double cell_size(size_t count, bool labelled, bool printed, double room) {
  const double fitting = room / static_cast<double>(std::max<size_t>(count, 1));
  if (printed) return std::clamp(fitting, 40.0, 46.0);
  return labelled ? std::clamp(fitting, 11.0, 20.0) : std::clamp(fitting, 0.5, 24.0);
}

double share_of(const HeatMap& map, float value) {
  return std::clamp(static_cast<double>((value - map.low) / (map.high - map.low)), 0.0, 1.0);
}

Colour colour_of(const HeatMap& map, double share) {
  if (!map.states.empty()) return share < 0.5 ? kOff : kOn;
  return shade(map.palette, share);
}

/// Collects runs of cells with the same shade (-1 = not finite) into one path per shade; the unit is a cell.
std::map<int, std::string> paths_of(const HeatMap& map) {
  const auto shade_at = [&](size_t row, size_t column) {
    const float value = map.values[row * map.columns + column];
    return std::isfinite(value) ? static_cast<int>(std::lround(share_of(map, value) * (kShades - 1))) : -1;
  };
  std::map<int, std::string> paths;
  for (size_t row = 0; row < map.rows; ++row) {
    for (size_t column = 0; column < map.columns;) {
      const int level = shade_at(row, column);
      size_t end = column + 1;
      while (end < map.columns && shade_at(row, end) == level) ++end;
      paths[level] += fmt::format("M{} {}h{}v1H{}z", column, row, end - column, column);
      column = end;
    }
  }
  return paths;
}

bool has_tips(const HeatMap& map) {
  return !map.row_labels.empty() || !map.column_labels.empty() || map.values.size() <= kMostTips;
}

std::string tip_of(const HeatMap& map, size_t row, size_t column) {
  const auto named = [](const std::string& axis, const std::vector<std::string>& labels, size_t at) {
    return (axis.empty() ? "" : axis + ": ") + (labels.empty() ? std::to_string(at) : labels[at]) + "\n";
  };
  const float value = map.values[row * map.columns + column];
  const std::string told = map.states.empty() ? fmt::format("{:.3g}", value) : map.states[value < 0.5F ? 0 : 1];
  return named(map.y_label, map.row_labels, row) + named(map.x_label, map.column_labels, column) + told;
}

void draw_cell_tips(Svg& svg, const HeatMap& map) {
  if (!has_tips(map)) return;
  const bool sparse = map.values.size() > kMostTips || !map.row_labels.empty();
  size_t drawn = 0;
  for (size_t i = 0; i < map.values.size() && drawn < kMostTips; ++i) {
    const float value = map.values[i];
    if (!std::isfinite(value) || (sparse && share_of(map, value) < kPale)) continue;
    svg.cell_tip(i % map.columns, i / map.columns, tip_of(map, i / map.columns, i % map.columns));
    ++drawn;
  }
}

void draw_cells(Svg& svg, double x, double y, const HeatMap& map, const MapLayout& layout) {
  svg.begin_cells(x, y, layout.cell_width, layout.cell_height);
  for (const auto& [level, path] : paths_of(map)) {
    svg.cells(path, level < 0 ? kMissing : colour_of(map, level / double{kShades - 1}));
  }
  draw_cell_tips(svg, map);
  svg.end();
  const LineStyle border{kBorder, 0.8};
  svg.line(x, y, x + layout.map_width, y, border);
  svg.line(x, y + layout.map_height, x + layout.map_width, y + layout.map_height, border);
  svg.line(x, y, x, y + layout.map_height, border);
  svg.line(x + layout.map_width, y, x + layout.map_width, y + layout.map_height, border);
}

void print_values(Svg& svg, double x, double y, const HeatMap& map, const MapLayout& layout) {
  for (size_t i = 0; i < map.values.size(); ++i) {
    const size_t line = i / map.columns;
    const double row = static_cast<double>(line), column = static_cast<double>(i % map.columns);
    const Colour cell = std::isfinite(map.values[i]) ? colour_of(map, share_of(map, map.values[i])) : kMissing;
    svg.text(x + (column + 0.5) * layout.cell_width, y + (row + 0.5) * layout.cell_height + 4,
             fmt::format("{:.2g}", map.values[i]), {11, Anchor::kMiddle, ink_on(cell)});
  }
}

/// The positions, in cells, of the numbers at an axis without labels.
std::vector<double> number_places(size_t count, double pixels) {
  const Scale scale(ScaleKind::kLinear, 0, static_cast<double>(count > 1 ? count - 1 : 1));
  std::vector<double> places;
  for (const double tick : scale.ticks(std::max(1, static_cast<int>(pixels / 45)))) {
    if (tick == std::floor(tick) && tick < static_cast<double>(count)) places.push_back(tick);
  }
  return places;
}

void draw_row_labels(Svg& svg, double x, double y, const HeatMap& map, const MapLayout& layout) {
  const auto middle = [&](double row) { return y + (row + 0.5) * layout.cell_height + 0.35 * layout.font; };
  const TextStyle style{layout.font, Anchor::kEnd};
  if (map.row_labels.empty()) {
    for (const double row : number_places(map.rows, layout.map_height)) {
      svg.text(x - 6, middle(row), number(row), {11, Anchor::kEnd, kQuiet});
    }
  }
  for (size_t row = 0; row < map.row_labels.size(); ++row) {
    svg.text(x - 6, middle(static_cast<double>(row)), shortened(map.row_labels[row], kLongestLabel), style);
  }
}

void draw_column_labels(Svg& svg, double x, double y, const HeatMap& map, const MapLayout& layout) {
  const auto middle = [&](double column) { return x + (column + 0.5) * layout.cell_width; };
  if (map.column_labels.empty()) {
    for (const double column : number_places(map.columns, layout.map_width)) {
      svg.text(middle(column), y + 15, number(column), {11, Anchor::kMiddle, kQuiet});
    }
  }
  TextStyle style{layout.font, Anchor::kEnd};
  style.angle = -60;
  for (size_t column = 0; column < map.column_labels.size(); ++column) {
    svg.text(middle(static_cast<double>(column)) + 0.3 * layout.font, y + layout.font,
             shortened(map.column_labels[column], kLongestLabel), style);
  }
}

void draw_states(Svg& svg, double x, double y, const HeatMap& map) {
  for (size_t state = 0; state < map.states.size(); ++state) {
    const double top = y + 20 * static_cast<double>(map.states.size() - 1 - state);
    svg.rect(x, top, 14, 14, state == 0 ? kOff : kOn);
    svg.text(x + 19, top + 11, map.states[state], {11});
  }
}

}  // namespace

MapLayout layout_of(const HeatMap& map) {
  const bool labelled = !map.row_labels.empty() || !map.column_labels.empty();
  MapLayout layout{};
  layout.cell_width = cell_size(map.columns, labelled, map.print_values, labelled ? 360 : 600);
  layout.cell_height = cell_size(map.rows, labelled, map.print_values, labelled ? 360 : 320);
  if (labelled || map.print_values || map.rows == map.columns) {
    layout.cell_width = layout.cell_height = std::min(layout.cell_width, layout.cell_height);
  }
  layout.font = labelled && !map.print_values ? std::min(12.0, layout.cell_height * 0.85) : 11;
  layout.map_width = layout.cell_width * static_cast<double>(map.columns);
  layout.map_height = layout.cell_height * static_cast<double>(map.rows);
  const double rows = map.row_labels.empty() ? 34 : widest(map.row_labels, layout.font);
  const double columns = map.column_labels.empty() ? 16 : 0.87 * widest(map.column_labels, layout.font) + layout.font;
  layout.left = rows + 12 + (map.y_label.empty() ? 0 : 20);
  layout.top = kMapTitleHeight;
  layout.width = std::max(layout.left + layout.map_width + 12, text_width(map.title, 13) + 12);
  layout.height = layout.top + layout.map_height + columns + (map.x_label.empty() ? 12 : 30);
  return layout;
}

void draw_map(Svg& svg, double x, double y, const HeatMap& map, const MapLayout& layout) {
  const double left = x + layout.left, top = y + layout.top;
  svg.text(left, y + 20, map.title, {13, Anchor::kStart, kTitle, true});
  draw_cells(svg, left, top, map, layout);
  if (map.print_values) print_values(svg, left, top, map, layout);
  draw_row_labels(svg, left, top, map, layout);
  draw_column_labels(svg, left, top + layout.map_height, map, layout);
  const double middle = left + layout.map_width / 2;
  svg.text(middle, y + layout.height - 6, map.x_label, {12, Anchor::kMiddle, kQuiet});
  svg.text(x + 13, top + layout.map_height / 2, map.y_label, {12, Anchor::kMiddle, kQuiet, false, -90});
}

void draw_map_scale(Svg& svg, double x, double y, double height, const HeatMap& map) {
  if (!map.states.empty()) {
    draw_states(svg, x, y, map);
    return;
  }
  svg.begin_cells(x, y, 14, height / kShades);
  for (int i = 0; i < kShades; ++i) {
    svg.cells(fmt::format("M0 {}h1v1H0z", i), colour_of(map, 1 - i / double{kShades - 1}));
  }
  svg.end();
  Scale scale(ScaleKind::kLinear, map.low, map.high);
  scale.place(y + height, y);
  const auto ticks = scale.ticks(std::max(1, static_cast<int>(height / 40)));
  const auto labels = tick_labels(ticks);
  for (size_t i = 0; i < ticks.size(); ++i)
    svg.text(x + 19, scale.at(ticks[i]) + 4, labels[i], {11, Anchor::kStart, kQuiet});
  const LineStyle border{kBorder, 0.8};
  svg.stroke("M" + number(x) + " " + number(y) + "h14v" + number(height) + "h-14z", border);
  if (ticks.empty() || ticks.back() < map.low + 0.999 * (map.high - map.low))
    // the end of the scale stands above it
    svg.text(x, y - 6, fmt::format("{:.3g}", map.high), {11, Anchor::kStart, kQuiet});
}

void check_map(const HeatMap& map) {
  const auto fits = [](const std::vector<std::string>& labels, size_t count) {
    return labels.empty() || labels.size() == count;
  };
  if (map.values.size() == map.rows * map.columns && fits(map.row_labels, map.rows) &&
      fits(map.column_labels, map.columns) && fits(map.states, 2) && map.high > map.low)
    return;
  throw std::invalid_argument(fmt::format("heat_map: {} x {} cells, but {} values, {} and {} labels, from {} to {}",
                                          map.rows, map.columns, map.values.size(), map.row_labels.size(),
                                          map.column_labels.size(), map.low, map.high));
}

float scale_end(float greatest) {
  if (!(greatest > 0) || greatest > 0.25F) return std::max(1.0F, greatest);
  const float power = std::pow(10.0F, std::floor(std::log10(greatest)));
  for (const float factor : {1.0F, 2.0F, 5.0F}) {
    if (factor * power >= greatest) return factor * power;
  }
  return 10 * power;
}

std::string heat_map(const HeatMap& map) {
  check_map(map);
  const MapLayout layout = layout_of(map);
  const double scale = std::clamp(layout.map_height, kLeastScale, 220.0);
  Svg svg(layout.width + kMapScaleWidth, std::max(layout.height, layout.top + scale + 14), map.title);
  draw_map(svg, 0, 0, map, layout);
  draw_map_scale(svg, std::max(layout.left + layout.map_width, layout.width - 12) + 20, layout.top, scale, map);
  return svg.finish();
}

}  // namespace ventris::figures
