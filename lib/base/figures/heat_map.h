#pragma once
#include <string>
#include <vector>

#include "figures/colours.h"
#include "figures/line_chart.h"

namespace ventris::figures {

/// A table of values, shown as colours.
struct HeatMap {
  std::string title, x_label, y_label;
  size_t rows = 0, columns = 0;
  std::vector<float> values;  ///< [rows, columns], the first row at the top; values that are not finite are grey
  std::vector<std::string> row_labels, column_labels;  ///< one per row or column, in valid UTF-8; empty = 0, 1, ...
  float low = 0, high = 1;                             ///< values at the ends of the palette
  Palette palette = Palette::kSequential;
  /// For a map of zeros and ones, such as a mask: what a 0 and what a 1 means. Such a map has two colours.
  std::vector<std::string> states;
  bool print_values = false;  ///< also print the values in the cells; for small tables
};

/// The end of a colour scale from 0 on which `greatest` can be seen: 1, or for small values 1, 2 or 5 times a power of
/// ten.
float scale_end(float greatest);

/// The map and its colour scale as an SVG document. A cell shows its value under the pointer: in a map with labels,
/// each cell that is not pale; in others, each cell if they are few. Throws std::invalid_argument for inconsistent
/// sizes.
std::string heat_map(const HeatMap& map);

/// Several maps under one title and texts such as the sentence they are about, with the range and palette of the first.
/// They stand in rows of equal length where possible, such as four in two rows.
std::string heat_map_grid(const std::string& title, const std::vector<HeatMap>& maps,
                          const std::vector<std::string>& texts = {});

/// A chart and the map below it.
struct ChartAndMap {
  LineChart chart;
  HeatMap map;
};

/// Columns of a chart and a map, side by side under one title. The maps have the range and palette of the first. Throws
/// std::invalid_argument for inconsistent sizes and for no columns.
std::string charts_over_maps(const std::string& title, const std::vector<ChartAndMap>& columns);

}  // namespace ventris::figures
