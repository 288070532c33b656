#include <algorithm>
#include <stdexcept>

#include "figures/heat_map.h"
#include "figures/heat_map_parts.h"

namespace ventris::figures {
namespace {

constexpr double kHeading = 30, kTextRow = 19, kTextSize = 13, kGap = 26, kPageWidth = 1300;
constexpr size_t kMostTextRows = 4;  // of one text

/// The number of maps in a row, at most `fitting`: rows of equal length where possible, in about a square.
size_t maps_across(size_t maps, size_t fitting) {
  size_t side = 1;
  while (side * side < maps) ++side;
  for (const size_t across : {side, side + 1}) {
    if (across <= fitting && maps % across == 0) return across;
  }
  return std::clamp<size_t>(fitting, 1, side);
}

std::vector<std::string> text_rows(const std::vector<std::string>& texts, double width) {
  std::vector<std::string> rows;
  for (const std::string& text : texts) {
    std::vector<std::string> lines = wrapped(text, width, kTextSize);
    if (lines.size() > kMostTextRows) {
      lines.resize(kMostTextRows);
      lines.back() += "\u2026";
    }
    rows.insert(rows.end(), lines.begin(), lines.end());
  }
  return rows;
}

void draw_heading(Svg& svg, const std::string& title, const std::vector<std::string>& rows) {
  svg.text(12, 22, title, {15, Anchor::kStart, kTitle, true});
  for (size_t i = 0; i < rows.size(); ++i) {
    svg.text(12, kHeading + static_cast<double>(i + 1) * kTextRow - 5, rows[i], {kTextSize});
  }
}

}  // namespace

std::string heat_map_grid(const std::string& title, const std::vector<HeatMap>& maps,
                          const std::vector<std::string>& texts) {
  if (maps.empty()) throw std::invalid_argument("heat_map_grid: no maps");
  double width = 0, height = 0;
  std::vector<MapLayout> layouts;
  for (const HeatMap& map : maps) {
    check_map(map);
    layouts.push_back(layout_of(map));
    width = std::max(width, layouts.back().width);
    height = std::max(height, layouts.back().height);
  }
  const size_t across = maps_across(maps.size(), static_cast<size_t>(kPageWidth / (width + kGap)));
  const size_t down = (maps.size() + across - 1) / across;
  const double all_across = static_cast<double>(across) * (width + kGap);
  const auto rows = text_rows(texts, all_across + kMapScaleWidth - 24);
  const double top = kHeading + kTextRow * static_cast<double>(rows.size());
  Svg svg(all_across + kMapScaleWidth, static_cast<double>(down) * (height + kGap / 2) + top, title);
  draw_heading(svg, title, rows);
  for (size_t i = 0; i < maps.size(); ++i) {
    const size_t row = i / across;
    const double x = static_cast<double>(i % across) * (width + kGap);
    draw_map(svg, x, top + static_cast<double>(row) * (height + kGap / 2), maps[i], layouts[i]);
  }
  draw_map_scale(svg, all_across + 8, top + kMapTitleHeight, std::min(layouts[0].map_height, 220.0), maps[0]);
  return svg.finish();
}

std::string charts_over_maps(const std::string& title, const std::vector<ChartAndMap>& columns) {
  if (columns.empty()) throw std::invalid_argument("charts_over_maps: no columns");
  double width = 0, chart_height = 0, map_height = 0;
  for (const ChartAndMap& column : columns) {
    check_map(column.map);
    const MapLayout layout = layout_of(column.map);
    width = std::max({width, column.chart.width, layout.width});
    chart_height = std::max(chart_height, column.chart.height);
    map_height = std::max(map_height, layout.height);
  }
  const double across = static_cast<double>(columns.size()) * width, maps = kHeading + chart_height + kGap / 2;
  Svg svg(across + kMapScaleWidth, maps + map_height, title);
  draw_heading(svg, title, {});
  for (size_t i = 0; i < columns.size(); ++i) {
    const double x = static_cast<double>(i) * width;
    draw_map(svg, x, maps, columns[i].map, layout_of(columns[i].map));
    svg.begin_part(x, kHeading);
    draw_line_chart(svg, columns[i].chart);
    svg.end();
  }
  const HeatMap& first = columns[0].map;
  draw_map_scale(svg, across + 8, maps + kMapTitleHeight, std::min(layout_of(first).map_height, 220.0), first);
  return svg.finish();
}

}  // namespace ventris::figures
