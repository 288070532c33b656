#include "figures/heat_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "figures/axes.h"
#include "figures/svg.h"

namespace ventris::figures {
namespace {

constexpr int kShades = 64;
constexpr size_t kLongestLabel = 20;  // characters
constexpr double kTitleHeight = 30, kScaleWidth = 74, kGap = 26, kPageWidth = 1300;
constexpr std::string_view kQuiet = "#666666";

/// The layout of a map, in pixels from its top left corner.
struct Layout {
  double cell_width, cell_height, font;
  double left, top;      // of the cells
  double width, height;  // of the whole map, without the colour scale
  double map_width, map_height;
};

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

Layout layout_of(const HeatMap& map) {
  const bool labelled = !map.row_labels.empty() || !map.column_labels.empty();
  Layout layout{};
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
  layout.top = kTitleHeight;
  layout.width = std::max(layout.left + layout.map_width + 12, text_width(map.title, 13) + 12);
  layout.height = layout.top + layout.map_height + columns + (map.x_label.empty() ? 12 : 30);
  return layout;
}

double share_of(const HeatMap& map, float value) {
  return std::clamp(static_cast<double>((value - map.low) / (map.high - map.low)), 0.0, 1.0);
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

void draw_cells(Svg& svg, double x, double y, const HeatMap& map, const Layout& layout) {
  svg.begin_cells(x, y, layout.cell_width, layout.cell_height);
  for (const auto& [level, path] : paths_of(map)) {
    svg.cells(path, level < 0 ? "#dddddd" : shade(map.palette, level / double{kShades - 1}));
  }
  svg.end();
  const LineStyle border{"#bbbbbb", 0.8};
  svg.line(x, y, x + layout.map_width, y, border);
  svg.line(x, y + layout.map_height, x + layout.map_width, y + layout.map_height, border);
  svg.line(x, y, x, y + layout.map_height, border);
  svg.line(x + layout.map_width, y, x + layout.map_width, y + layout.map_height, border);
}

void print_values(Svg& svg, double x, double y, const HeatMap& map, const Layout& layout) {
  for (size_t i = 0; i < map.values.size(); ++i) {
    const double row = static_cast<double>(i / map.columns), column = static_cast<double>(i % map.columns);
    const bool light = is_light(map.palette, share_of(map, map.values[i]));
    svg.text(x + (column + 0.5) * layout.cell_width, y + (row + 0.5) * layout.cell_height + 4,
             fmt::format("{:.2g}", map.values[i]), {11, Anchor::kMiddle, light ? "#222222" : "#ffffff"});
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

void draw_row_labels(Svg& svg, double x, double y, const HeatMap& map, const Layout& layout) {
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

void draw_column_labels(Svg& svg, double x, double y, const HeatMap& map, const Layout& layout) {
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

/// Draws the map with its top left corner at (x, y).
void draw_map(Svg& svg, double x, double y, const HeatMap& map, const Layout& layout) {
  const double left = x + layout.left, top = y + layout.top;
  svg.text(left, y + 20, map.title, {13, Anchor::kStart, "#111111", true});
  draw_cells(svg, left, top, map, layout);
  if (map.print_values) print_values(svg, left, top, map, layout);
  draw_row_labels(svg, left, top, map, layout);
  draw_column_labels(svg, left, top + layout.map_height, map, layout);
  const double middle = left + layout.map_width / 2;
  svg.text(middle, y + layout.height - 6, map.x_label, {12, Anchor::kMiddle, kQuiet});
  svg.text(x + 13, top + layout.map_height / 2, map.y_label, {12, Anchor::kMiddle, kQuiet, false, -90});
}

/// Draws the colour scale from (x, y) downwards. The highest value stands above it unless it is one of the ticks.
void draw_scale(Svg& svg, double x, double y, double height, const HeatMap& map) {
  svg.begin_cells(x, y, 14, height / kShades);
  for (int i = 0; i < kShades; ++i) {
    svg.cells(fmt::format("M0 {}h1v1H0z", i), shade(map.palette, 1 - i / double{kShades - 1}));
  }
  svg.end();
  Scale scale(ScaleKind::kLinear, map.low, map.high);
  scale.place(y + height, y);
  const auto ticks = scale.ticks(std::max(1, static_cast<int>(height / 40)));
  const auto labels = tick_labels(ticks);
  for (size_t i = 0; i < ticks.size(); ++i)
    svg.text(x + 19, scale.at(ticks[i]) + 4, labels[i], {11, Anchor::kStart, kQuiet});
  if (ticks.empty() || ticks.back() < map.low + 0.999 * (map.high - map.low))
    svg.text(x, y - 6, fmt::format("{:.3g}", map.high), {11, Anchor::kStart, kQuiet});
}

void check(const HeatMap& map) {
  const auto fits = [](const std::vector<std::string>& labels, size_t count) {
    return labels.empty() || labels.size() == count;
  };
  if (map.values.size() == map.rows * map.columns && fits(map.row_labels, map.rows) &&
      fits(map.column_labels, map.columns) && map.high > map.low)
    return;
  throw std::invalid_argument(fmt::format("heat_map: {} x {} cells, but {} values, {} and {} labels, from {} to {}",
                                          map.rows, map.columns, map.values.size(), map.row_labels.size(),
                                          map.column_labels.size(), map.low, map.high));
}

}  // namespace

std::string heat_map(const HeatMap& map) {
  check(map);
  const Layout layout = layout_of(map);
  Svg svg(layout.width + kScaleWidth, layout.height, map.title);
  draw_map(svg, 0, 0, map, layout);
  draw_scale(svg, std::max(layout.left + layout.map_width, layout.width - 12) + 20, layout.top,
             std::min(layout.map_height, 220.0), map);
  return svg.finish();
}

std::string heat_map_grid(const std::string& title, const std::vector<HeatMap>& maps) {
  if (maps.empty()) throw std::invalid_argument("heat_map_grid: no maps");
  double width = 0, height = 0;
  std::vector<Layout> layouts;
  for (const HeatMap& map : maps) {
    check(map);
    layouts.push_back(layout_of(map));
    width = std::max(width, layouts.back().width);
    height = std::max(height, layouts.back().height);
  }
  const auto fitting = static_cast<size_t>(kPageWidth / (width + kGap));
  const size_t across = std::clamp<size_t>(fitting, 1, maps.size());
  const size_t down = (maps.size() + across - 1) / across;
  const double all_across = static_cast<double>(across) * (width + kGap);
  Svg svg(all_across + kScaleWidth, static_cast<double>(down) * (height + kGap / 2) + kTitleHeight, title);
  svg.text(12, 22, title, {15, Anchor::kStart, "#111111", true});
  for (size_t i = 0; i < maps.size(); ++i) {
    const double x = static_cast<double>(i % across) * (width + kGap);
    draw_map(svg, x, kTitleHeight + static_cast<double>(i / across) * (height + kGap / 2), maps[i], layouts[i]);
  }
  draw_scale(svg, all_across + 8, 2 * kTitleHeight, std::min(layouts[0].map_height, 220.0), maps[0]);
  return svg.finish();
}

std::string charts_over_maps(const std::string& title, const std::vector<ChartAndMap>& columns) {
  if (columns.empty()) throw std::invalid_argument("charts_over_maps: no columns");
  double width = 0, chart_height = 0, map_height = 0;
  for (const ChartAndMap& column : columns) {
    check(column.map);
    const Layout layout = layout_of(column.map);
    width = std::max({width, column.chart.width, layout.width});
    chart_height = std::max(chart_height, column.chart.height);
    map_height = std::max(map_height, layout.height);
  }
  const double across = static_cast<double>(columns.size()) * width, maps = kTitleHeight + chart_height + kGap / 2;
  Svg svg(across + kScaleWidth, maps + map_height, title);
  svg.text(12, 22, title, {15, Anchor::kStart, "#111111", true});
  for (size_t i = 0; i < columns.size(); ++i) {
    const double x = static_cast<double>(i) * width;
    svg.begin_part(x, kTitleHeight);
    draw_line_chart(svg, columns[i].chart);
    svg.end();
    draw_map(svg, x, maps, columns[i].map, layout_of(columns[i].map));
  }
  draw_scale(svg, across + 8, maps + kTitleHeight, std::min(layout_of(columns[0].map).map_height, 220.0),
             columns[0].map);
  return svg.finish();
}

}  // namespace ventris::figures
