#include "figures/colours.h"

#include <gtest/gtest.h>

#include <set>

namespace ventris::figures {
namespace {

TEST(SeriesColour, SevenSeriesCanBeToldApart) {
  std::set<std::string_view> colours;
  for (size_t i = 0; i < 7; ++i) colours.insert(series_colour(i));
  EXPECT_EQ(colours.size(), 7U);
  EXPECT_EQ(series_colour(7), series_colour(0));
}

TEST(Shade, GoesFromWhiteToDarkAndFromOrangeOverWhiteToBlue) {
  EXPECT_EQ(shade(Palette::kSequential, 0), "#ffffff");
  EXPECT_EQ(shade(Palette::kDiverging, 0.5), "#ffffff");
  EXPECT_EQ(shade(Palette::kSequential, -3), "#ffffff");
  EXPECT_EQ(shade(Palette::kSequential, 3), shade(Palette::kSequential, 1));
  EXPECT_TRUE(is_light(Palette::kSequential, 0.2));
  EXPECT_FALSE(is_light(Palette::kSequential, 0.9));
  EXPECT_FALSE(is_light(Palette::kDiverging, 0));
}

}  // namespace
}  // namespace ventris::figures
