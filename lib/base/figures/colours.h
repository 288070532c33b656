#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace ventris::figures {

/// A colour on light ground and the one that replaces it on dark ground, both as 0xRRGGBB.
struct Colour {
  uint32_t light = 0, dark = 0;
};

// The colours of figures and of pages with figures. Texts are only drawn on kGround and kPage.
inline constexpr Colour kGround{0xffffff, 0x181d25};  ///< behind a figure
inline constexpr Colour kPage{0xf4f5f7, 0x0f1318};    ///< behind the figures of a page
inline constexpr Colour kTitle{0x111111, 0xf2f4f8};
inline constexpr Colour kText{0x1d2330, 0xdde2ea};
inline constexpr Colour kQuiet{0x5d6675, 0xa3adbb};   ///< text that explains other text, axes
inline constexpr Colour kGrid{0xe4e6ea, 0x2c333f};
inline constexpr Colour kBorder{0xb8bec8, 0x4d5766};
inline constexpr Colour kMissing{0xdddddd, 0x3a4250};  ///< the cell of a value that is not finite
inline constexpr Colour kOff{0xdfe3ea, 0x323a47};      ///< a cell that is hidden by a mask
inline constexpr Colour kOn{0x0072b2, 0x56b4e9};       ///< a cell that is not

/// "#rrggbb"
std::string hex(uint32_t colour);

/// The contrast of two colours, from 1 to 21. Text needs 4.5, lines and dots 3. Source: WCAG 2.2, "contrast ratio".
double contrast(uint32_t one, uint32_t other);

/// The colours of the series of a chart, repeated after the last. Colour-blind people can distinguish them.
/// Source: Okabe and Ito 2008; on light ground, the pale ones are darker.
Colour series_colour(size_t series);
inline constexpr size_t kSeriesColours = 7;

/// The colours of values: from the ground to blue, or from orange through the ground to blue.
enum class Palette { kSequential, kDiverging };

/// The colour at `share` of the palette, which is clamped to [0, 1].
Colour shade(Palette palette, double share);

/// Black or white, whichever is easier to read on a colour.
Colour ink_on(Colour colour);

}  // namespace ventris::figures
