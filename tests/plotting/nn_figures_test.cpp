#include "plotting/nn_figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::plotting {
namespace {

using testing::HasSubstr;

TEST(PositionsMap, BeginsWithSinesOfZeroAndCosinesOfZero) {
  const std::string svg = positions_map(1, 4);  // 0 1 0 1: white and dark blue in turn
  EXPECT_THAT(svg, HasSubstr("<path d=\"M0 0h1v1H0zM2 0h1v1H2z\""));
  EXPECT_THAT(svg, HasSubstr("<path d=\"M1 0h1v1H1zM3 0h1v1H3z\" fill=\"#0a4a8c\""));
}

TEST(PositionsCurves, AreOfFourFeatures) {
  const std::string svg = positions_curves(100, 20, 4);
  for (const char* name : {">feature 4<", ">feature 5<", ">feature 6<", ">feature 7<"})
    EXPECT_THAT(svg, HasSubstr(name));
  EXPECT_FAILS(positions_curves(100, 20, 17), ConfigError, "--feature: expected 0 to 16, got 17");
}

TEST(PositionsMap, RefusesSizesThatMakeNoFigure) {
  EXPECT_FAILS(positions_map(0, 8), ConfigError, "--positions: expected 1 to 2000, got 0");
  EXPECT_FAILS(positions_map(2000, 2000), ConfigError,
               "--positions times --d-model: expected at most 250000 cells, got 4000000; draw fewer");
  EXPECT_FAILS(positions_map(8, 3000), ConfigError, "--d-model: expected 1 to 2000, got 3000");
}

TEST(MaskFigure, ShowsPaddingWhatIsBeforeAndBoth) {
  const std::string svg = mask_figure(3, 1);
  EXPECT_THAT(svg, HasSubstr(">may look</text>"));
  EXPECT_THAT(svg, HasSubstr("<path d=\"M0 0h2v1H0zM0 1h2v1H0zM0 2h2v1H0z\""));  // all but the last
  EXPECT_THAT(svg, HasSubstr("<path d=\"M0 0h1v1H0zM0 1h2v1H0zM0 2h3v1H0z\""));  // what is before
  EXPECT_THAT(svg, HasSubstr("<path d=\"M0 0h1v1H0zM0 1h2v1H0zM0 2h2v1H0z\""));  // both
  EXPECT_FAILS(mask_figure(3, 3), ConfigError, "--padding: expected 0 to 2, got 3");
}

TEST(SmoothingFigure, ShowsTheDistributionOfTheLoss) {
  const std::string svg = smoothing_figure(5, 0.3);
  EXPECT_THAT(svg, HasSubstr(">0.7</text>"));
  EXPECT_THAT(svg, HasSubstr(">0.1</text>"));  // the rest over 5 - 2 tokens
  EXPECT_FAILS(smoothing_figure(2, 0.1), ConfigError, "--vocab: expected 3 to 40, got 2");
  EXPECT_FAILS(smoothing_figure(5, 1), ConfigError, "--smoothing: expected a number of at least 0 and under 1, got 1");
}

}  // namespace
}  // namespace ventris::plotting
