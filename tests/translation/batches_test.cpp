#include "translation/batches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <stdexcept>

namespace ventris::translation {
namespace {

using Batches = std::vector<std::vector<size_t>>;

TEST(SimilarLengths, ItemsOfSimilarLengthComeTogetherAndTheEarliestBatchFirst) {
  EXPECT_EQ(similar_lengths({9, 2, 8, 3}, {2, 100}), (Batches{{2, 0}, {1, 3}}));
  EXPECT_EQ(similar_lengths({}, {2, 100}), Batches{});
}

TEST(SimilarLengths, ItemsWithoutLengthAreLeftOut) {
  EXPECT_EQ(similar_lengths({0, 4, 0, 4}, {8, 100}), (Batches{{1, 3}}));
}

TEST(SimilarLengths, PaddedTokensAreLimitedButNoItemIsTooLong) {
  EXPECT_EQ(similar_lengths({4, 4, 5, 50}, {8, 10}), (Batches{{0, 1}, {2}, {3}}));
}

TEST(RunWindow, ItemsAreHandedOutOnceInOrderWhateverTheThreads) {
  std::vector<int64_t> lengths;
  for (int64_t i = 0; i < 200; ++i) lengths.push_back(i * 37 % 11);
  for (const int workers : {1, 3}) {
    std::vector<size_t> out;
    std::vector<std::atomic<int>> worked(lengths.size());
    WindowWork work;
    work.batch = [&](const std::vector<size_t>& batch, int worker) {
      EXPECT_LT(worker, workers);
      for (const size_t item : batch) ++worked[item];
    };
    work.hand_out = [&](size_t item) {
      EXPECT_EQ(worked[item], lengths[item] > 0 ? 1 : 0);
      out.push_back(item);
    };
    EXPECT_EQ(run_window(lengths, {5, 1000}, workers, work), lengths.size());
    ASSERT_EQ(out.size(), lengths.size());
    EXPECT_TRUE(std::is_sorted(out.begin(), out.end()));
  }
}

TEST(RunWindow, WhatGoesWrongReachesTheCaller) {
  WindowWork work;
  work.batch = [](const std::vector<size_t>&, int) { throw std::runtime_error("broken"); };
  work.hand_out = [](size_t) {};
  EXPECT_THROW(run_window({1, 1}, {}, 2, work), std::runtime_error);
}

}  // namespace
}  // namespace ventris::translation
