#include "figures/colours.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace ventris::figures {
namespace {

constexpr std::array<uint32_t, 4> kSequentialLight{0xffffff, 0x9ecae1, 0x3175b5, 0x08285c};
constexpr std::array<uint32_t, 4> kSequentialDark{0x181d25, 0x1f4e7a, 0x4aa3df, 0xe8f4ff};
constexpr std::array<uint32_t, 5> kDivergingLight{0x964206, 0xf0a354, 0xffffff, 0x70abd6, 0x0a4a8c};
constexpr std::array<uint32_t, 5> kDivergingDark{0xffbe80, 0xa5611f, 0x181d25, 0x2a6aa3, 0x96d0ff};

/// The red, green or blue part (shift 16, 8 or 0), in [0, 255].
uint32_t part_of(uint32_t colour, int shift) { return (colour >> shift) & 0xFFU; }

uint32_t mixed(std::span<const uint32_t> stops, double share) {
  const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
  const size_t left = std::min(static_cast<size_t>(place), stops.size() - 2);
  const double part = place - static_cast<double>(left);
  uint32_t colour = 0;
  for (const int shift : {16, 8, 0}) {
    const double value = part_of(stops[left], shift) * (1 - part) + part_of(stops[left + 1], shift) * part;
    colour |= static_cast<uint32_t>(std::lround(value)) << shift;
  }
  return colour;
}

/// In [0, 1]. Source: WCAG 2.2, "relative luminance".
double luminance(uint32_t colour) {
  const auto linear = [&](int shift) {
    const double value = part_of(colour, shift) / 255.0;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0);
}

uint32_t ink_on(uint32_t colour) { return contrast(colour, 0) >= contrast(colour, 0xffffff) ? 0 : 0xffffff; }

}  // namespace

std::string hex(uint32_t colour) { return fmt::format("#{:06x}", colour); }

double contrast(uint32_t one, uint32_t other) {
  const double a = luminance(one) + 0.05, b = luminance(other) + 0.05;
  return std::max(a, b) / std::min(a, b);
}

Colour series_colour(size_t series) {
  static constexpr std::array<Colour, kSeriesColours> kColours{{{0x0072b2, 0x56b4e9},
                                                                {0xd55e00, 0xff8a47},
                                                                {0x00855f, 0x2fc996},
                                                                {0xb8568f, 0xe39ac4},
                                                                {0x8f6a00, 0xf0d24a},
                                                                {0x7a4fbf, 0xb79cf2},
                                                                {0x444444, 0xc8cfd9}}};
  return kColours[series % kColours.size()];
}

Colour shade(Palette palette, double share) {
  if (palette == Palette::kSequential) return {mixed(kSequentialLight, share), mixed(kSequentialDark, share)};
  return {mixed(kDivergingLight, share), mixed(kDivergingDark, share)};
}

Colour ink_on(Colour colour) { return {ink_on(colour.light), ink_on(colour.dark)}; }

}  // namespace ventris::figures
