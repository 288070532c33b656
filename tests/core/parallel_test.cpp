#include "core/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace ventris::core {
namespace {

TEST(ParallelFor, EveryIndexIsDoneOnceByAKnownWorker) {
  for (const int threads : {-1, 1, 3, 64}) {
    std::vector<std::atomic<int>> done(50);
    parallel_for(done.size(), threads, [&](size_t index, int worker) {
      EXPECT_LT(worker, std::max(threads, 1));
      ++done[index];
    });
    for (const auto& times : done) EXPECT_EQ(times, 1);
  }
}

TEST(ParallelFor, NothingToDoIsDone) {
  parallel_for(0, 4, [](size_t, int) { FAIL(); });
}

TEST(ParallelFor, AnExceptionReachesTheCallerAndStopsTheRest) {
  std::atomic<int> done = 0;
  const auto work = [&](size_t index, int) {
    if (index == 3) throw std::runtime_error("three");
    ++done;
  };
  EXPECT_THROW(parallel_for(1000000, 2, work), std::runtime_error);
  EXPECT_LT(done, 1000000);
}

}  // namespace
}  // namespace ventris::core
