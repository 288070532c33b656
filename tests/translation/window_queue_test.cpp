#include "translation/window_queue.h"

#include <gtest/gtest.h>

#include <thread>

namespace ventris::translation {
namespace {

using Items = std::vector<size_t>;

const auto kTakes = [](size_t) { return true; };

WindowWork collecting(Items& out) {
  WindowWork work;
  work.hand_out = [&](size_t item) { out.push_back(item); };
  return work;
}

TEST(WindowQueue, ItemsComeInTheOrderOfTheBatches) {
  Items out, taken;
  const WindowWork work = collecting(out);
  const std::vector<BatchItem> items{{9}, {2}, {0}, {8}, {3}};
  WindowQueue queue(items, {2, 100}, work, 1000);
  EXPECT_FALSE(queue.empty());
  while (const auto item = queue.take_item(true, kTakes)) taken.push_back(*item);
  EXPECT_EQ(taken, (Items{3, 0, 1, 4}));
  EXPECT_TRUE(queue.empty());
  EXPECT_TRUE(out.empty());
  for (const size_t item : {4, 0, 1, 3}) queue.finish(Items{item});
  EXPECT_EQ(out, (Items{0, 1, 2, 3, 4}));
  EXPECT_EQ(queue.handed_out(), 5U);
}

TEST(WindowQueue, AnItemThatIsNotAcceptedStays) {
  Items out;
  const WindowWork work = collecting(out);
  const std::vector<BatchItem> items{{1}, {1}};
  WindowQueue queue(items, {}, work, 1000);
  EXPECT_EQ(queue.take_item(true, [](size_t) { return false; }), std::nullopt);
  EXPECT_EQ(queue.take_item(true, kTakes), 0U);
  queue.stop();
  EXPECT_EQ(queue.take_item(true, kTakes), std::nullopt);
}

/// The results of the long lines at the end, which come first, fill the memory: then the beginning comes first.
TEST(WindowQueue, WhenTooManyResultsWaitTheEarliestItemIsNext) {
  Items out;
  const WindowWork work = collecting(out);
  const std::vector<BatchItem> items{{5, 1, 1, 10}, {9, 1, 1, 10}, {5, 1, 1, 10}, {5, 1, 1, 10}, {9, 1, 1, 10}};
  WindowQueue queue(items, {3, 100}, work, 30);  // the order is 0, 2, 3, 1, 4
  EXPECT_EQ(queue.take_item(true, kTakes), 0U);
  EXPECT_EQ(queue.take_item(false, kTakes), 2U);
  EXPECT_EQ(queue.take_item(false, kTakes), 3U);
  EXPECT_EQ(queue.take_item(false, kTakes), std::nullopt) << "30 bytes are taken, and 10 more would be too many";
  queue.finish(Items{2}, 25);
  EXPECT_EQ(queue.take_item(false, kTakes), std::nullopt);
  queue.finish(Items{0}, 5);
  EXPECT_EQ(out, Items{0});
  EXPECT_EQ(queue.take_item(false, kTakes), std::nullopt) << "25 wait and 10 are under way";
  EXPECT_EQ(queue.take_item(true, kTakes), 1U) << "an idle thread takes the one that all wait for";
  queue.finish(Items{1}, 5);
  EXPECT_EQ(out, (Items{0, 1, 2}));
  EXPECT_EQ(queue.take_item(false, kTakes), 4U);
}

TEST(WindowQueue, AnIdleThreadWaitsForTheItemThatResultsWaitFor) {
  Items out;
  const WindowWork work = collecting(out);
  const std::vector<BatchItem> items{{5, 1, 1, 10}, {5, 1, 1, 10}, {5, 1, 1, 10}};
  for (const bool fails : {false, true}) {
    WindowQueue queue(items, {}, work, 20);
    EXPECT_EQ(queue.take_item(true, kTakes), 0U);
    EXPECT_EQ(queue.take_item(true, kTakes), 1U);
    queue.finish(Items{1}, 20);
    std::optional<size_t> taken;
    {
      std::jthread waiting([&] { taken = queue.take_item(true, kTakes); });
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      if (fails) {
        queue.stop();
      } else {
        queue.finish(Items{0}, 5);
      }
    }
    EXPECT_EQ(taken, fails ? std::nullopt : std::optional<size_t>(2));
  }
}

TEST(WindowQueue, OneItemThatIsLargerThanTheMemoryIsTaken) {
  Items out;
  const WindowWork work = collecting(out);
  const std::vector<BatchItem> items{{5, 1, 1, 100}, {5, 1, 1, 100}};
  WindowQueue queue(items, {}, work, 20);
  for (const size_t item : {0U, 1U}) {
    EXPECT_EQ(queue.take_item(true, kTakes), item);
    EXPECT_EQ(queue.take_item(false, kTakes), std::nullopt);
    queue.finish(Items{item}, 100);
  }
  EXPECT_EQ(out, (Items{0, 1}));
}

}  // namespace
}  // namespace ventris::translation
