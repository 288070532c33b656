#include "imports/halved_sinusoids.h"

#include <gtest/gtest.h>

#include <cmath>

#include "architecture/sinusoids.h"

namespace ventris::imports {
namespace {

TEST(HalvedSinusoids, AllSinesOfAPositionComeBeforeItsCosines) {
  constexpr int64_t kWidth = 6, kHalf = 3;
  const std::vector<float> table = halved_sinusoids(2, 2, kWidth, architecture::halved_frequency_step(kWidth));
  ASSERT_EQ(table.size(), 12U);
  for (int64_t row = 0; row < 2; ++row) {
    for (int64_t i = 0; i < kHalf; ++i) {
      const double angle = static_cast<double>(row + 2) * std::pow(10000.0, -static_cast<double>(i) / 2);
      EXPECT_NEAR(table[static_cast<size_t>(row * kWidth + i)], std::sin(angle), 1e-6) << row << " " << i;
      EXPECT_NEAR(table[static_cast<size_t>(row * kWidth + kHalf + i)], std::cos(angle), 1e-6) << row << " " << i;
    }
  }
}

}  // namespace
}  // namespace ventris::imports
