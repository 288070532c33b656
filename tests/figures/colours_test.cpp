#include "figures/colours.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <set>

namespace ventris::figures {
namespace {

constexpr std::initializer_list<uint32_t Colour::*> kModes{&Colour::light, &Colour::dark};

TEST(Contrast, IsThatOfTheGuidelines) {
  EXPECT_NEAR(contrast(0, 0xffffff), 21, 1e-9);
  EXPECT_NEAR(contrast(0x777777, 0xffffff), 4.48, 0.01);
}

TEST(Colours, OfTextsCanBeReadOnBothGrounds) {
  for (const auto mode : kModes) {
    for (const Colour text : {kTitle, kText, kQuiet}) {
      for (const Colour ground : {kGround, kPage})
        EXPECT_GE(contrast(text.*mode, ground.*mode), 4.5) << hex(text.*mode);
    }
  }
}

TEST(Colours, OfSeriesCanBeSeenAndToldApart) {
  for (const auto mode : kModes) {
    std::set<uint32_t> colours;
    for (size_t i = 0; i < kSeriesColours; ++i) {
      EXPECT_GE(contrast(series_colour(i).*mode, kGround.*mode), 3) << i;
      colours.insert(series_colour(i).*mode);
    }
    EXPECT_EQ(colours.size(), kSeriesColours);
  }
}

TEST(InkOn, CanBeReadOnEveryShade) {
  for (const Palette palette : {Palette::kSequential, Palette::kDiverging}) {
    for (int i = 0; i <= 100; ++i) {
      const Colour cell = shade(palette, i / 100.0), ink = ink_on(cell);
      for (const auto mode : kModes) EXPECT_GE(contrast(ink.*mode, cell.*mode), 4.5);
    }
  }
}

TEST(Shade, BeginsWithTheGround) {
  for (const auto mode : kModes) {
    EXPECT_EQ(shade(Palette::kSequential, -3).*mode, kGround.*mode);
    EXPECT_EQ(shade(Palette::kDiverging, 0.5).*mode, kGround.*mode);
  }
}

}  // namespace
}  // namespace ventris::figures
