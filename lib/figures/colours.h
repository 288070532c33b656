#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace ventris::figures {

/// Colours of the series of a chart, over again after the last. They stay apart for the colour-blind.
/// Source: Okabe and Ito 2008.
std::string_view series_colour(size_t series);

/// How values become colours: from white to dark blue, or from orange over white to blue.
enum class Palette { kSequential, kDiverging };

/// share in [0, 1] of the way through the palette (others are clamped) -> "#rrggbb".
std::string shade(Palette palette, double share);

/// Whether black is easier to read on that shade than white.
bool is_light(Palette palette, double share);

}  // namespace ventris::figures
