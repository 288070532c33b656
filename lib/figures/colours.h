#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace ventris::figures {

/// The colours of the series of a chart, repeated after the last. Colour-blind people can distinguish them.
/// Source: Okabe and Ito 2008.
std::string_view series_colour(size_t series);

/// The colours of values: from white to dark blue, or from orange through white to blue.
enum class Palette { kSequential, kDiverging };

/// The colour "#rrggbb" at `share` of the palette, which is clamped to [0, 1].
std::string shade(Palette palette, double share);

/// Whether black is easier to read on this colour than white.
bool is_light(Palette palette, double share);

}  // namespace ventris::figures
