#pragma once
#include "figures/heat_map.h"
#include "figures/svg.h"

/// What heat maps alone and in grids are made of.
namespace ventris::figures {

inline constexpr double kMapTitleHeight = 30, kMapScaleWidth = 80;  // pixels

/// The layout of a map, in pixels from its top left corner.
struct MapLayout {
  double cell_width, cell_height, font;
  double left, top;      ///< of the cells
  double width, height;  ///< of the whole map, without the colour scale
  double map_width, map_height;
};

/// Throws std::invalid_argument for inconsistent sizes.
void check_map(const HeatMap& map);

MapLayout layout_of(const HeatMap& map);

/// Draws the map with its top left corner at (x, y).
void draw_map(Svg& svg, double x, double y, const HeatMap& map, const MapLayout& layout);

/// Draws the colour scale, or the meaning of the two colours, from (x, y) downwards.
void draw_map_scale(Svg& svg, double x, double y, double height, const HeatMap& map);

}  // namespace ventris::figures
