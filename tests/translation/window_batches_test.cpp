#include "translation/window_batches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <set>
#include <stdexcept>

#include "core/error.h"
#include "decoding/search.h"
#include "translation/window_queue.h"

namespace ventris::translation {
namespace {

using Batches = std::vector<std::vector<size_t>>;

TEST(SimilarLengths, ItemsOfSimilarLengthComeTogetherAndTheEarliestBatchFirst) {
  EXPECT_EQ(similar_lengths({{9}, {2}, {8}, {3}}, {2, 100}), (Batches{{2, 0}, {1, 3}}));
  EXPECT_EQ(similar_lengths({}, {2, 100}), Batches{});
}

TEST(SimilarLengths, ItemsWithoutLengthAreLeftOut) {
  EXPECT_EQ(similar_lengths({{0}, {4}, {0}, {4}}, {8, 100}), (Batches{{1, 3}}));
}

TEST(SimilarLengths, PaddedTokensAreLimitedButNoItemIsTooLong) {
  EXPECT_EQ(similar_lengths({{4}, {4}, {5}, {50}}, {8, 10}), (Batches{{0, 1}, {2}, {3}}));
}

/// The sizes of the batches of so many equal items where the settings limit nothing.
std::vector<size_t> batch_sizes(size_t count, const BatchItem& item) {
  const int64_t endless = std::numeric_limits<int64_t>::max() / kMostWindowBytes;
  std::vector<size_t> sizes;
  for (const auto& batch : similar_lengths(std::vector<BatchItem>(count, item), {endless, endless})) {
    sizes.push_back(batch.size());
  }
  return sizes;
}

TEST(SimilarLengths, NoSettingMakesABatchLargerThanTheWorkspace) {
  EXPECT_EQ(batch_sizes(10'000, {1, 1, 1}), (std::vector<size_t>{4096, 4096, 1808}));
  EXPECT_EQ(batch_sizes(100, {3, 256, 13}), (std::vector<size_t>{16, 16, 16, 16, 16, 16, 4}));  // hypotheses
  EXPECT_EQ(batch_sizes(100, {30, 256, 100}), (std::vector<size_t>(10, 10)));                   // long targets
  EXPECT_EQ(batch_sizes(6, {1000, 100, 10}), (std::vector<size_t>{2, 2, 2}));                       // long sources
  EXPECT_EQ(batch_sizes(100, {200}), (std::vector<size_t>{40, 40, 20}));  // tokens
  EXPECT_EQ(batch_sizes(10, {1000}), (std::vector<size_t>{4, 4, 2}));                           // wide attention
}

TEST(SimilarLengths, ASentenceAboveTheWorkspaceIsABatchOfItsOwn) {
  EXPECT_EQ(batch_sizes(2, {60'000, 256, 60'000}), (std::vector<size_t>{1, 1}));
}

TEST(SimilarLengths, TheWorkspaceCutsNoBatchOfTheDefaultSettings) {
  const decoding::SearchOptions usual;
  for (int64_t length = 1; length <= 1024; ++length) {
    decoding::Sentence sentence{std::vector<int32_t>(static_cast<size_t>(length)), {}, 0};
    const BatchItem item{length, 5, decoding::greatest_length(sentence, usual, 1024)};
    const auto expected = static_cast<size_t>(std::min<int64_t>(64, 4096 / length));
    EXPECT_EQ(similar_lengths(std::vector<BatchItem>(64, item), {}).front().size(), expected) << length;
  }
}

TEST(RunWindow, ItemsAreHandedOutOnceInOrderWhateverTheThreads) {
  std::vector<BatchItem> items;
  for (int64_t i = 0; i < 200; ++i) items.push_back({i * 37 % 11});
  for (const int workers : {1, 3}) {
    std::vector<size_t> out;
    std::vector<std::atomic<int>> worked(items.size());
    WindowWork work;
    work.lane = [&](WindowQueue& queue, int worker) {
      EXPECT_LT(worker, workers);
      queue.each_batch([&](const std::vector<size_t>& batch) {
        for (const size_t item : batch) ++worked[item];
      });
    };
    work.hand_out = [&](size_t item) {
      EXPECT_EQ(worked[item], items[item].length > 0 ? 1 : 0);
      out.push_back(item);
    };
    EXPECT_EQ(run_window(items, {5, 1000}, workers, work), items.size());
    ASSERT_EQ(out.size(), items.size());
    EXPECT_TRUE(std::is_sorted(out.begin(), out.end()));
  }
}

TEST(RunWindow, WhatGoesWrongReachesTheCaller) {
  WindowWork work;
  work.lane = [](WindowQueue&, int) { throw std::runtime_error("broken"); };
  work.hand_out = [](size_t) {};
  EXPECT_THROW(run_window({{1}, {1}}, {}, 2, work), std::runtime_error);
}

TEST(RunWindow, WhatIsDoneIsToldBeforeItIsItsTurn) {
  std::vector<size_t> done, out;
  WindowWork work;
  work.lane = [](WindowQueue& queue, int) { queue.each_batch([](const std::vector<size_t>&) {}); };
  work.done = [&](size_t item) { done.push_back(item); };
  work.hand_out = [&](size_t item) {
    if (item == 2) {
      EXPECT_EQ(done, (std::vector<size_t>{1, 0, 3, 2}));  // the blank one, then the batches
    }
    out.push_back(item);
  };
  EXPECT_EQ(run_window({{5}, {0}, {9}, {5}}, {2, 100}, 1, work), 4U);
  EXPECT_EQ(out, (std::vector<size_t>{0, 1, 2, 3}));
}

TEST(RunWindow, TheCallingThreadDoesWhatTheOthersLeave) {
  const std::vector<BatchItem> items(2, BatchItem{1});
  for (int round = 0; round < 300; ++round) {
    WindowWork work;
    work.hand_out = [](size_t) {};
    work.lane = [](WindowQueue& queue, int worker) {
      if (worker != 0) return;  // it has nothing to work with
      while (const auto item = queue.take_item(true, [](size_t) { return true; })) {
        queue.finish(std::vector<size_t>{*item});
      }
    };
    ASSERT_EQ(run_window(items, {}, 3, work), 2U) << "round " << round;
  }
}

TEST(RunWindow, ABatchThatIsBrokenOffIsNotDone) {
  std::vector<size_t> out;
  WindowWork work;
  work.lane = [](WindowQueue& queue, int) {
    queue.each_batch([](const std::vector<size_t>& batch) {
      if (batch.front() == 1) throw Interrupted(15, "stopped");
    });
  };
  work.hand_out = [&](size_t item) { out.push_back(item); };
  EXPECT_EQ(run_window({{1}, {1}, {1}}, {1, 100}, 1, work), 1U);
  EXPECT_EQ(out, std::vector<size_t>{0});
}

}  // namespace
}  // namespace ventris::translation
