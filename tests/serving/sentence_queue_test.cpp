#include "serving/sentence_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "serving/refused_memory.h"

namespace ventris::serving {
namespace {

using testing::ElementsAre;

/// The lengths of so many short sentences.
std::vector<size_t> sentences(size_t count) { return std::vector<size_t>(count, 20); }

/// What a thread alone takes in one turn, as "job.sentence".
std::vector<std::string> all_of(SentenceQueue& queue, uint64_t lane) {
  std::vector<std::string> taken;
  while (const auto next = queue.take(lane, {.taken = taken.size()})) {
    taken.push_back(std::to_string(next->job) + "." + std::to_string(next->number));
  }
  return taken;
}

TEST(SentenceQueue, TheJobsOfALaneTakeTurns) {
  SentenceQueue queue;
  queue.add(1, 7, sentences(4));
  queue.add(2, 7, sentences(1));
  queue.add(3, 7, sentences(2));
  EXPECT_EQ(queue.waiting(), 7U);
  EXPECT_EQ(queue.wait_for_lane(), 7U);
  EXPECT_THAT(all_of(queue, 7), ElementsAre("1.0", "2.0", "3.0", "1.1", "3.1", "1.2", "1.3"));
  EXPECT_EQ(queue.waiting(), 0U);
}

TEST(SentenceQueue, AShortJobThatComesLaterDoesNotWaitForALongOne) {
  SentenceQueue queue;
  queue.add(1, 7, sentences(1000));
  for (int i = 0; i < 10; ++i) queue.take(7, {});
  queue.add(2, 7, sentences(1));
  EXPECT_EQ(queue.take(7, {})->job, 1U);
  EXPECT_EQ(queue.take(7, {})->job, 2U);
}

TEST(SentenceQueue, LongSentencesLeavePlacesForShortOnes) {
  SentenceQueue queue;
  const size_t is_long = SentenceQueue::kLongBytes + 1;
  queue.add(1, 7, std::vector<size_t>{is_long, 5, is_long, is_long});
  queue.add(2, 7, std::vector<size_t>{5, is_long});
  Workload work;
  std::vector<std::string> taken;
  while (const auto next = queue.take(7, work)) {
    taken.push_back(std::to_string(next->job) + "." + std::to_string(next->number));
    ++work.sentences;
    work.long_ones += next->is_long ? 1 : 0;
  }
  EXPECT_THAT(taken, ElementsAre("1.1", "1.0", "2.0", "2.1"));  // short and long ones take turns, and so do the jobs
  EXPECT_EQ(queue.waiting(), 2U);
  --work.long_ones;  // one is done
  EXPECT_EQ(queue.take(7, work)->number, 2U);
  EXPECT_EQ(queue.remove(1), 1U);
  EXPECT_EQ(queue.waiting(), 0U);
}

TEST(SentenceQueue, AThreadMayVisitALaneWithShortSentences) {
  SentenceQueue queue;
  const std::vector<size_t> is_long{SentenceQueue::kLongBytes + 1};
  queue.add(1, 7, sentences(1));
  queue.add(2, 8, is_long);
  EXPECT_EQ(queue.lane_to_visit(7), std::nullopt);  // the other lane has only a long one
  EXPECT_EQ(queue.lane_to_visit(8), 7U);
  queue.add(3, 9, sentences(1));
  EXPECT_EQ(queue.lane_to_visit(8), 7U);  // they take turns
  EXPECT_EQ(queue.lane_to_visit(8), 9U);
  EXPECT_FALSE(queue.take(8, {.only_short = true}).has_value());
  EXPECT_TRUE(queue.take(7, {.only_short = true}).has_value());
}

TEST(SentenceQueue, WhatIsRemovedIsNotTaken) {
  SentenceQueue queue;
  queue.add(1, 7, sentences(3));
  queue.add(2, 7, sentences(2));
  queue.take(7, {});
  EXPECT_EQ(queue.remove(1), 2U);
  EXPECT_EQ(queue.remove(1), 0U);
  EXPECT_EQ(queue.waiting(), 2U);
  EXPECT_THAT(all_of(queue, 7), ElementsAre("2.0", "2.1"));
}

TEST(SentenceQueue, AJobMayComeAgainForItsNextStep) {
  SentenceQueue queue;
  queue.add(1, 7, sentences(1));
  EXPECT_THAT(all_of(queue, 7), ElementsAre("1.0"));
  queue.add(1, 8, sentences(2));
  EXPECT_THAT(all_of(queue, 7), ElementsAre());
  EXPECT_THAT(all_of(queue, 8), ElementsAre("1.0", "1.1"));
}

TEST(SentenceQueue, AJobForWhichThereIsNoMemoryIsNotAddedInPart) {
  const std::vector<size_t> bytes{5, SentenceQueue::kLongBytes + 1, 5};
  SentenceQueue queue;
  queue.add(1, 7, sentences(2));
  bool added = false;
  const auto add = [&] {
    try {
      queue.add(2, 8, bytes);
      added = true;
    } catch (const std::bad_alloc&) {
      added = false;
    }
  };
  test::with_refused_memory({}, add, [&](int64_t given) {
    EXPECT_EQ(queue.waiting(), added ? 5U : 2U) << given;
    EXPECT_EQ(queue.take(8, {}).has_value(), added) << given;
    EXPECT_EQ(queue.remove(2), added ? 2U : 0U) << given;
    EXPECT_EQ(queue.wait_for_lane(), 7U) << given;
    EXPECT_EQ(queue.lane_to_visit(7), std::nullopt) << given;
  });
}

TEST(SentenceQueue, LanesTakeTurns) {
  SentenceQueue queue;
  queue.add(1, 7, sentences(1000));
  queue.add(2, 8, sentences(1));
  EXPECT_EQ(queue.wait_for_lane(), 7U);
  EXPECT_EQ(all_of(queue, 7).size(), SentenceQueue::kTurn);  // then it is the turn of the other one
  EXPECT_EQ(queue.wait_for_lane(), 8U);
  EXPECT_THAT(all_of(queue, 8), ElementsAre("2.0"));
  EXPECT_EQ(queue.wait_for_lane(), 7U);
  EXPECT_EQ(all_of(queue, 7).size(), 1000 - SentenceQueue::kTurn);
}

TEST(SentenceQueue, AThreadLeavesTheIdleOnesTheirShare) {
  EXPECT_EQ(SentenceQueue::share(10, 0), 10U);
  EXPECT_EQ(SentenceQueue::share(10, 1), 5U);
  EXPECT_EQ(SentenceQueue::share(11, 1), 6U);
  EXPECT_EQ(SentenceQueue::share(1, 3), 1U);
}

TEST(SentenceQueue, NobodyWaitsAfterItStops) {
  SentenceQueue queue;
  std::jthread thread([&] { EXPECT_EQ(queue.wait_for_lane(), std::nullopt); });
  queue.stop();
  thread.join();
  queue.add(1, 7, sentences(1));
  EXPECT_EQ(queue.wait_for_lane(), 7U);  // what is there is still done
}

}  // namespace
}  // namespace ventris::serving
