#include "plotting/kernel_figure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "core/error.h"
#include "support/errors.h"
#include "support/svg.h"

namespace ventris::plotting {
namespace {

using testing::HasSubstr;

TEST(KernelsFigure, ShowsDataTruthEstimatesAndWeightsOfEachKernel) {
  const std::string svg = kernels_figure(50, 1, 1);
  for (const char* part : {">Gaussian, width 1<", ">Epanechnikov, width 1<", ">Boxcar, width 1<",
                           ">Gaussian, learned, width 0.", ">data<", ">truth<", ">estimate<", ">weights<"}) {
    EXPECT_THAT(svg, HasSubstr(part));
  }
  EXPECT_EQ(test::count_shown(svg, "<circle"), 200U);  // 50 points in each of the four charts
}

TEST(KernelsFigure, IsAFunctionOfItsSeed) {
  EXPECT_EQ(kernels_figure(20, 1, 1), kernels_figure(20, 1, 1));
  EXPECT_NE(kernels_figure(20, 1, 1), kernels_figure(20, 1, 2));
}

TEST(KernelsFigure, WhereNoPointIsInReachTheEstimateHasAGap) {
  EXPECT_THAT(kernels_figure(10, 0.05, 1), HasSubstr(">Boxcar, width 0.05<"));
}

TEST(KernelsFigure, RefusesWhatMakesNoFigure) {
  EXPECT_FAILS(kernels_figure(1, 1, 1), ConfigError, "--points: expected 2 to 200, got 1");
  EXPECT_FAILS(kernels_figure(201, 1, 1), ConfigError, "--points: expected 2 to 200, got 201");
  EXPECT_FAILS(kernels_figure(50, 0, 1), ConfigError,
               "--kernel-width: expected a number over 0 and at most 100, got 0");
  EXPECT_FAILS(kernels_figure(50, std::numeric_limits<double>::quiet_NaN(), 1), ConfigError, "--kernel-width");
}

}  // namespace
}  // namespace ventris::plotting
