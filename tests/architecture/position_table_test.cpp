#include "architecture/position_table.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace ventris::architecture {
namespace {

/// The vectors (position, -position).
void fill(int64_t position, float* out) {
  out[0] = static_cast<float>(position);
  out[1] = -out[0];
}

TEST(PositionTable, HasTheVectorOfEveryPositionInAnyOrder) {
  const PositionTable table(2, fill);
  for (const int64_t position : {0, 1000, 63, 64, 191, 192, 447, 448, 1, 100'000, 5}) {
    EXPECT_EQ(table.row(position)[0], static_cast<float>(position));
    EXPECT_EQ(table.row(position)[1], static_cast<float>(-position));
  }
}

TEST(PositionTable, ComputesAVectorOnceAndOnlyIfItIsNear) {
  std::vector<int> calls(1000);
  const PositionTable table(2, [&](int64_t position, float* out) {
    ++calls.at(static_cast<size_t>(position));
    fill(position, out);
  });
  const float* row = table.row(100);
  EXPECT_EQ(table.row(100), row);
  EXPECT_EQ(calls[100], 1);
  EXPECT_EQ(calls[0] + calls[999], 0);
}

TEST(PositionTable, ThreadsMayAskForTheSamePositionsAtTheSameTime) {
  const PositionTable table(2, fill);
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int64_t position = 0; position < 2000; ++position) {
        if (table.row(position)[0] != static_cast<float>(position)) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace ventris::architecture
