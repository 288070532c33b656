#include "layers/packed_rotation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "arithmetic/every_kernel_set.h"
#include "support/errors.h"
#include "support/random_numbers.h"

namespace ventris::layers {
namespace {

using test::RandomNumbers;

class RotationTest : public test::EveryKernelSet {
 protected:
  std::vector<float> rotated(const Rotation& rotation, int64_t position, int64_t heads, std::vector<float> x) const {
    rotation.apply(kernels(), position, heads, x.data());
    return x;
  }
};
INSTANTIATE_EVERY_KERNEL_SET(RotationTest);

TEST_P(RotationTest, PairsOfNeighboursTurnByTheirAngleInEachHead) {
  RandomNumbers random(1);
  for (const int64_t width : {2, 10, 64}) {
    const Rotation rotation(width);
    for (const int64_t position : {1, 63, 64, 1000}) {
      const auto x = random.values(3 * width), found = rotated(rotation, position, 3, x);
      for (size_t i = 0; i < x.size(); i += 2) {
        const double share = static_cast<double>(static_cast<int64_t>(i) % width) / static_cast<double>(width);
        const double angle = static_cast<double>(position) * std::pow(10000.0, -share);
        ASSERT_NEAR(found[i], x[i] * std::cos(angle) - x[i + 1] * std::sin(angle), 1e-6);
        ASSERT_NEAR(found[i + 1], x[i] * std::sin(angle) + x[i + 1] * std::cos(angle), 1e-6);
      }
    }
  }
}

TEST_P(RotationTest, TheFirstPositionIsNotTurned) {
  RandomNumbers random(2);
  const auto x = random.values(36);
  EXPECT_EQ(rotated(Rotation(18), 0, 2, x), x);
}

TEST_P(RotationTest, AProductDependsOnlyOnTheDistance) {
  RandomNumbers random(3);
  const Rotation rotation(24);
  const auto query = random.values(24), key = random.values(24);
  const auto product = [&](int64_t of_query, int64_t of_key) {
    const auto a = rotated(rotation, of_query, 1, query), b = rotated(rotation, of_key, 1, key);
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  };
  EXPECT_NEAR(product(5, 3), product(705, 703), 1e-5);
  EXPECT_NEAR(product(3, 5), product(0, 2), 1e-5);
  EXPECT_GT(std::abs(product(5, 3) - product(3, 5)), 1e-3);
}

TEST(Rotation, AnOddWidthIsRefused) {
  EXPECT_FAILS(Rotation(7), std::invalid_argument, "expected an even width, got 7");
}

}  // namespace
}  // namespace ventris::layers
