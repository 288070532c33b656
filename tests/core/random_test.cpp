#include "core/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace ventris::core {
namespace {

using Words = std::array<uint32_t, 4>;

TEST(Philox, MatchesThePublishedTestVectors) {  // Random123, kat_vectors, philox4x32 with 10 rounds
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({~0U, ~0U, ~0U, ~0U}, {~0U, ~0U}), (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomStream, ValuesAreFixedForever) {  // stored checkpoints and samples depend on them
  EXPECT_EQ(RandomStream(0, 0).bits(0), 0xe169c58d6627e8d5U);
  EXPECT_EQ(RandomStream(~0ULL, ~0ULL).bits(~0ULL), 0x41c83b0e408f276dU);
}

TEST(RandomStream, DrawsAreUniform) {
  const RandomStream random(7, 3);
  constexpr int kDraws = 100000, kBins = 10;
  std::array<int, kBins> uniform{}, below{};
  for (uint64_t i = 0; i < kDraws; ++i) {
    const double draw = random.uniform(i);
    ASSERT_GE(draw, 0);
    ASSERT_LT(draw, 1);
    ++uniform[static_cast<size_t>(draw * kBins)];
    const uint64_t number = random.below(i, kBins);
    ASSERT_LT(number, static_cast<uint64_t>(kBins));
    ++below[number];
  }
  for (int bin = 0; bin < kBins; ++bin) {
    EXPECT_NEAR(uniform[static_cast<size_t>(bin)], kDraws / kBins, 500);  // five standard deviations
    EXPECT_NEAR(below[static_cast<size_t>(bin)], kDraws / kBins, 500);
  }
}

TEST(RandomStream, BelowOneIsZero) { EXPECT_EQ(RandomStream(1, 2).below(3, 1), 0U); }

TEST(RandomStream, SeedsStreamsAndIndicesAllMatter) {
  std::set<uint64_t> seen;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    for (uint64_t stream = 0; stream < 10; ++stream) {
      for (uint64_t index = 0; index < 10; ++index) seen.insert(RandomStream(seed, stream).bits(index));
    }
  }
  EXPECT_EQ(seen.size(), 1000U);
}

TEST(DeriveSeed, EveryNumberMatters) {
  std::set<uint64_t> seen;
  for (uint64_t a = 0; a < 8; ++a) {
    for (uint64_t b = 0; b < 8; ++b) {
      for (uint64_t c = 0; c < 8; ++c) seen.insert(derive_seed(1, a, b, c));
    }
  }
  EXPECT_EQ(seen.size(), 512U);
  EXPECT_NE(derive_seed(1, 0), derive_seed(2, 0));
}

TEST(ShuffledIndices, AreAPermutationDecidedBySeedAndStream) {
  auto order = shuffled_indices(1000, 5, 6);
  EXPECT_EQ(order, shuffled_indices(1000, 5, 6));
  EXPECT_NE(order, shuffled_indices(1000, 5, 7));
  EXPECT_NE(order, shuffled_indices(1000, 6, 6));
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
  std::sort(order.begin(), order.end());
  for (uint32_t i = 0; i < 1000; ++i) EXPECT_EQ(order[i], i);
  EXPECT_TRUE(shuffled_indices(0, 1, 1).empty());
}

TEST(ShuffledIndices, EveryOrderOfThreeIsAsLikely) {
  std::array<int, 6> counts{};
  for (uint64_t stream = 0; stream < 6000; ++stream) {
    const auto order = shuffled_indices(3, 1, stream);
    ++counts[order[0] * 2 + (order[1] > order[2] ? 1 : 0)];
  }
  for (const int count : counts) EXPECT_NEAR(count, 1000, 150);
}

}  // namespace
}  // namespace ventris::core
