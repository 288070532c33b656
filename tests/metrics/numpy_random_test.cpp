#include "metrics/numpy_random.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ventris::metrics {
namespace {

// Expected numbers: numpy.random.default_rng(seed), NumPy 2.4: bit_generator.random_raw(),
// choice(1000000007, size=7), integers(2, size=40, dtype=bool).

TEST(NumpyRandom, TheStreamIsThatOfDefaultRng) {
  NumpyRandom random(12345), zero(0), large(uint64_t{1} << 40U | 77U);
  EXPECT_EQ(random.next64(), 4193609425186963869U);
  EXPECT_EQ(random.next64(), 5843160025838961886U);
  EXPECT_EQ(zero.next64(), 11749869230777074271U);
  EXPECT_EQ(large.next64(), 10578933016687830818U);
}

TEST(NumpyRandom, BoundedNumbersAreThoseOfChoice) {
  NumpyRandom random(12345);
  std::vector<uint32_t> found;
  for (int i = 0; i < 7; ++i) found.push_back(random.below(1'000'000'007));
  EXPECT_EQ(found,
            (std::vector<uint32_t>{699215036, 227336023, 788646993, 316758341, 204176895, 797365462, 642683573}));
}

TEST(NumpyRandom, OneChoiceTakesNothingFromTheStream) {
  NumpyRandom random(12345), other(12345);
  EXPECT_EQ(random.below(1), 0U);
  EXPECT_EQ(random.next64(), other.next64());
}

TEST(NumpyRandom, CoinTossesAreThoseOfIntegers) {
  NumpyRandom random(12345);
  CoinTosses coin(random);
  std::string found;
  for (int i = 0; i < 40; ++i) found += coin.next() ? '1' : '0';
  EXPECT_EQ(found, "1011100110000011111111110100110110110001");
}

}  // namespace
}  // namespace ventris::metrics
