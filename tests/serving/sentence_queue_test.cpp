#include "serving/sentence_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace ventris::serving {
namespace {

using testing::ElementsAre;

/// What a thread alone takes in one turn, as "job.sentence".
std::vector<std::string> all_of(SentenceQueue& queue, uint64_t lane) {
  std::vector<std::string> taken;
  while (const auto next = queue.take(lane, 0, taken.size())) {
    taken.push_back(std::to_string(next->job) + "." + std::to_string(next->number));
  }
  return taken;
}

TEST(SentenceQueue, TheJobsOfALaneTakeTurns) {
  SentenceQueue queue;
  queue.add(1, 7, 4);
  queue.add(2, 7, 1);
  queue.add(3, 7, 2);
  EXPECT_EQ(queue.waiting(), 7U);
  EXPECT_EQ(queue.wait_for_lane(), 7U);
  EXPECT_THAT(all_of(queue, 7), ElementsAre("1.0", "2.0", "3.0", "1.1", "3.1", "1.2", "1.3"));
  EXPECT_EQ(queue.waiting(), 0U);
}

TEST(SentenceQueue, AShortJobThatComesLaterDoesNotWaitForALongOne) {
  SentenceQueue queue;
  queue.add(1, 7, 1000);
  for (int i = 0; i < 10; ++i) queue.take(7, 0, 0);
  queue.add(2, 7, 1);
  EXPECT_EQ(queue.take(7, 0, 0)->job, 1U);
  EXPECT_EQ(queue.take(7, 0, 0)->job, 2U);
}

TEST(SentenceQueue, WhatIsRemovedIsNotTaken) {
  SentenceQueue queue;
  queue.add(1, 7, 3);
  queue.add(2, 7, 2);
  queue.take(7, 0, 0);
  EXPECT_EQ(queue.remove(1), 2U);
  EXPECT_EQ(queue.remove(1), 0U);
  EXPECT_EQ(queue.waiting(), 2U);
  EXPECT_THAT(all_of(queue, 7), ElementsAre("2.0", "2.1"));
}

TEST(SentenceQueue, AJobMayComeAgainForItsNextStep) {
  SentenceQueue queue;
  queue.add(1, 7, 1);
  EXPECT_THAT(all_of(queue, 7), ElementsAre("1.0"));
  queue.add(1, 8, 2);
  EXPECT_THAT(all_of(queue, 7), ElementsAre());
  EXPECT_THAT(all_of(queue, 8), ElementsAre("1.0", "1.1"));
}

TEST(SentenceQueue, LanesTakeTurns) {
  SentenceQueue queue;
  queue.add(1, 7, 1000);
  queue.add(2, 8, 1);
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
  queue.add(1, 7, 1);
  EXPECT_EQ(queue.wait_for_lane(), 7U);  // what is there is still done
}

}  // namespace
}  // namespace ventris::serving
