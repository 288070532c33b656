#pragma once
#include <string>
#include <vector>

#include "figures/colours.h"

namespace ventris::figures {

/// A table of values as colours.
struct HeatMap {
  std::string title, x_label, y_label;
  size_t rows = 0, columns = 0;
  std::vector<float> values;  ///< [rows, columns], the first row at the top; one that is not finite is grey
  std::vector<std::string> row_labels, column_labels;  ///< one each, in valid UTF-8; none = numbers from 0
  float low = 0, high = 1;                             ///< values at the ends of the palette
  Palette palette = Palette::kSequential;
  bool print_values = false;  ///< also as numbers in the cells; for small tables
};

/// The map with its scale of colours as an SVG document. Throws std::invalid_argument if sizes do not fit.
std::string heat_map(const HeatMap& map);

/// Several maps with the ends and the palette of the first under one title, side by side as a wide page has room.
std::string heat_map_grid(const std::string& title, const std::vector<HeatMap>& maps);

}  // namespace ventris::figures
