#include "distributed/peer_watch.h"

#include <gtest/gtest.h>

#include <torch/csrc/distributed/c10d/HashStore.hpp>

#include <memory>

#include "core/process.h"

namespace ventris::distributed {
namespace {

class Watch : public testing::Test {
 protected:
  Watch() {
    for (const int rank : {0, 1}) PeerWatch::give_sign(*store, rank, 0);
  }

  std::unique_ptr<PeerWatch> watch(int rank, double silence = 60) const {
    Ranks ranks;
    ranks.rank = rank;
    ranks.size = 2;
    ranks.silence_seconds = silence;
    return std::make_unique<PeerWatch>(store, ranks, std::vector<std::string>{"north", "south"});
  }

  static std::string problem_of(const PeerWatch& one) {
    const double until = core::seconds_now() + 30;
    while (one.problem().empty() && core::seconds_now() < until) std::this_thread::yield();
    return one.problem();
  }

  c10::intrusive_ptr<c10d::Store> store = c10::make_intrusive<c10d::HashStore>();
};

TEST_F(Watch, AllIsWellWhileBothGiveSigns) {
  const auto first = watch(0, 2), second = watch(1, 2);
  std::this_thread::sleep_for(std::chrono::seconds(4));
  EXPECT_EQ(first->problem() + second->problem(), "");
}

TEST_F(Watch, WhoIsSilentIsNamed) {
  const auto first = watch(0, 2);
  EXPECT_EQ(problem_of(*first), "rank 1 on south has given no sign of life for 2 seconds");
  const auto second = watch(1);  // it was only asleep: too late
  EXPECT_EQ(problem_of(*second), first->problem());
}

TEST_F(Watch, LastWordsAreHeardAndTheFirstOnesStay) {
  const auto first = watch(0), second = watch(1);
  second->report("no such file");
  first->report("something that follows from it");
  EXPECT_EQ(problem_of(*first), "rank 1 on south ended: no such file");
}

TEST_F(Watch, ABrokenConnectionIsWhoeverFallsSilent) {
  auto first = watch(0);
  EXPECT_EQ(first->reason_of("reset"),
            "rank 1 on south is gone: it was killed, or its machine or the network to it failed");
}

TEST_F(Watch, ABrokenConnectionBetweenTheLivingIsSaidAsItIs) {
  const auto first = watch(0), second = watch(1);
  EXPECT_EQ(first->reason_of("reset"), "the connection to another process broke: reset");
}

TEST_F(Watch, NobodyLeavesBeforeRank0) {
  const auto first = watch(0), second = watch(1);
  std::atomic<bool> left = false;
  std::thread other([&] {
    second->leave();
    left = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_FALSE(left);
  first->leave();
  other.join();
  EXPECT_TRUE(left);
  EXPECT_EQ(first->problem() + second->problem(), "");
}

}  // namespace
}  // namespace ventris::distributed
