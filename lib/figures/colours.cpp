#include "figures/colours.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace ventris::figures {
namespace {

using Rgb = std::array<double, 3>;

constexpr std::array<Rgb, 4> kSequential{Rgb{255, 255, 255}, {158, 202, 225}, {49, 117, 181}, {8, 40, 92}};
constexpr std::array<Rgb, 5> kDiverging{
    Rgb{150, 66, 6}, {240, 163, 84}, {255, 255, 255}, {112, 171, 214}, {10, 74, 140}};

Rgb colour_of(Palette palette, double share) {
  const auto stops =
      palette == Palette::kSequential ? std::span<const Rgb>(kSequential) : std::span<const Rgb>(kDiverging);
  const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
  const size_t left = std::min(static_cast<size_t>(place), stops.size() - 2);
  const double part = place - static_cast<double>(left);
  Rgb mixed{};
  for (size_t i = 0; i < 3; ++i) mixed[i] = stops[left][i] * (1 - part) + stops[left + 1][i] * part;
  return mixed;
}

}  // namespace

std::string_view series_colour(size_t series) {
  static constexpr std::array<std::string_view, 7> kColours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                            "#e69f00", "#56b4e9", "#444444"};
  return kColours[series % kColours.size()];
}

std::string shade(Palette palette, double share) {
  const Rgb colour = colour_of(palette, share);
  return fmt::format("#{:02x}{:02x}{:02x}", std::lround(colour[0]), std::lround(colour[1]), std::lround(colour[2]));
}

bool is_light(Palette palette, double share) {
  const Rgb colour = colour_of(palette, share);
  return 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2] > 140;
}

}  // namespace ventris::figures
