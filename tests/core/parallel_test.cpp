#include "core/parallel.h"

#include <gtest/gtest.h>
#include <pthread.h>

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

TEST(ParallelFor, WhereNoThreadCanBeStartedTheCallerDoesTheWork) {
  pthread_attr_t before, endless;
  ASSERT_EQ(pthread_getattr_default_np(&before), 0);
  pthread_attr_init(&endless);
  ASSERT_EQ(pthread_attr_setstacksize(&endless, size_t{1} << 50), 0);
  ASSERT_EQ(pthread_setattr_default_np(&endless), 0);  // more than there are addresses
  int done = 0;
  parallel_for(50, 4, [&](size_t, int worker) {
    EXPECT_EQ(worker, 0);
    ++done;
  });
  EXPECT_EQ(done, 50);
  pthread_setattr_default_np(&before);
  pthread_attr_destroy(&endless);
  pthread_attr_destroy(&before);
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
