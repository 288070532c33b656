#include "data/epoch_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>

namespace ventris::data {
namespace {

/// How often each pair comes in an epoch.
std::map<uint32_t, int> counts_of(const EpochOrder& order, uint64_t epoch) {
  std::map<uint32_t, int> counts;
  for (uint32_t window = 0; window < order.windows(); ++window) {
    for (const uint32_t pair : order.window(epoch, window)) ++counts[pair];
  }
  return counts;
}

TEST(MixingShares, WeightsAreSharesAndTemperatureFlattensSizes) {
  EXPECT_EQ(mixing_shares({10, 90}, {1, 3}, 5), (std::vector<double>{0.25, 0.75}));
  EXPECT_EQ(mixing_shares({10, 90}, {1e308, 1e308}, 1), (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(mixing_shares({25, 75}, {}, 1), (std::vector<double>{0.25, 0.75}));
  const auto flat = mixing_shares({16, 1}, {}, 4);  // 2 to 1
  EXPECT_NEAR(flat[0], 2.0 / 3, 1e-12);
  EXPECT_NEAR(flat[1], 1.0 / 3, 1e-12);
  EXPECT_EQ(mixing_shares({100'000'000, 1}, {}, 0.02), (std::vector<double>{1, 0}));  // 1e400 to 1
}

TEST(EpochOrder, OneCorpusGivesOnePassAnEpochHoweverManyWindows) {
  for (const uint64_t window : {100000, 4000, 1}) {
    const uint64_t size = window == 1 ? 50 : 10000;
    const EpochOrder order({size}, {}, 3, window);
    EXPECT_EQ(order.windows(), (size + window - 1) / window);
    for (const uint64_t epoch : {0, 5}) {
      const auto counts = counts_of(order, epoch);
      EXPECT_EQ(counts.size(), size);
      for (const auto& [pair, count] : counts) ASSERT_EQ(count, 1) << pair;
    }
  }
}

TEST(EpochOrder, WindowsOfALargeCorpusAreOfEqualSizeAndOtherPairsMeetInEachEpoch) {
  const EpochOrder order({50000}, {}, 3, 9000);
  const auto first = order.window(0, 0);
  EXPECT_LE(order.window(0, 3).size(), 9000U);
  EXPECT_NE(order.window(1, 0), first);
  EXPECT_EQ(order.window(0, 0), first);
  EXPECT_NE(EpochOrder({50000}, {}, 4, 9000).window(0, 0), first);
  EXPECT_TRUE(std::is_sorted(first.begin(), first.end()));
  EXPECT_GT(first.back() - first.front(), 30000U);  // from all over the corpus
}

TEST(EpochOrder, CorporaComeInTheirSharesAndAllOfTheirPairsInTurn) {
  const EpochOrder order({100, 900}, {0.5, 0.5}, 1, 1 << 19);
  EXPECT_EQ(order.pairs(), 1000U);
  std::map<uint32_t, int> total;
  for (uint64_t epoch = 0; epoch < 9; ++epoch) {
    int small = 0;
    for (const auto& [pair, count] : counts_of(order, epoch)) {
      small += pair < 100 ? count : 0;
      EXPECT_TRUE(pair < 100 ? count == 5
                             : count <= 2);  // five whole passes; the end of a pass and the next's beginning
      total[pair] += count;
    }
    EXPECT_EQ(small, 500);
  }
  for (uint32_t pair = 100; pair < 1000; ++pair) ASSERT_EQ(total[pair], 5) << pair;  // 4500 pairs = 5 passes
}

TEST(EpochOrder, EachWindowHasItsPartOfEveryCorpus) {
  const EpochOrder order({1000, 3000}, {}, 1, 400);
  ASSERT_EQ(order.windows(), 10U);
  for (uint32_t window = 0; window < 10; ++window) {
    const auto pairs = order.window(2, window);
    EXPECT_EQ(pairs.size(), 400U);
    EXPECT_EQ(std::count_if(pairs.begin(), pairs.end(), [](uint32_t pair) { return pair < 1000; }), 100);
  }
}

TEST(EpochOrder, ACorpusOfTheSmallestShareIsNotForgotten) {
  const EpochOrder order({1000, 1000}, {1 - 1e-9, 1e-9}, 1, 1 << 19);
  EXPECT_EQ(order.pairs(), 2001U);
}

TEST(EpochOrder, NothingToOrderIsAMistakeOfTheCaller) {
  EXPECT_THROW(EpochOrder({}, {}, 1, 10), std::invalid_argument);
  EXPECT_THROW(EpochOrder({0}, {}, 1, 10), std::invalid_argument);
  EXPECT_THROW(EpochOrder({5}, {}, 1, 0), std::invalid_argument);
  EXPECT_THROW(EpochOrder({5}, {0.5, 0.5}, 1, 10), std::invalid_argument);
}

}  // namespace
}  // namespace ventris::data
