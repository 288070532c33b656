#include "architecture/sinusoids.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ventris::architecture {
namespace {

/// Vaswani et al. 2017, section 3.5, in f32 as nn::PositionalEncoding rounds it.
float sinusoid(int64_t position, int64_t i, int64_t width) {
  const auto step = static_cast<float>(-std::log(10000.0) / static_cast<double>(width));
  const float angle = static_cast<float>(position) * std::exp(static_cast<float>(i - i % 2) * step);
  return i % 2 == 0 ? std::sin(angle) : std::cos(angle);
}

TEST(Sinusoids, AreThoseOfTheFormulaInAnyOrderOfPositions) {
  for (const int64_t width : {1, 6, 15}) {
    const Sinusoids all(width);
    for (const int64_t position : {0, 1000, 63, 64, 191, 192, 447, 448, 1, 100'000, 5}) {
      const float* row = all.row(position);
      for (int64_t i = 0; i < width; ++i) ASSERT_EQ(row[i], sinusoid(position, i, width)) << position << ' ' << i;
    }
  }
}

TEST(HalvedSinusoids, HaveTheSinesFirstAndEndWithTheFrequencyOfOneTenThousandth) {
  constexpr int64_t kWidth = 8;
  const HalvedSinusoids all(kWidth);
  for (const int64_t position : {0, 1, 700}) {
    const float* row = all.row(position);
    for (int64_t i = 0; i < kWidth / 2; ++i) {
      const double frequency = std::pow(10000.0, -static_cast<double>(i) / 3),
                   angle = static_cast<double>(position) * frequency;
      EXPECT_NEAR(row[i], std::sin(angle), 1e-4) << position << ' ' << i;
      EXPECT_NEAR(row[kWidth / 2 + i], std::cos(angle), 1e-4) << position << ' ' << i;
    }
  }
}

}  // namespace
}  // namespace ventris::architecture
