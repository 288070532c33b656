#include "data/line_blocks.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace ventris::data {
namespace {

struct Number {
  uint64_t value = 0, square = 0;
};

/// Reads the numbers below `count`, each as a line of `bytes` bytes.
std::vector<uint64_t> squares(uint64_t count, size_t bytes, int threads) {
  uint64_t next = 0;
  std::vector<uint64_t> found;
  read_in_blocks<Number>(
      "numbers", threads,
      [&](Number& line) {
        line.value = next;
        return next++ < count ? bytes : size_t{0};
      },
      [](Number& line) { line.square = line.value * line.value; },
      [&](const Number& line) { found.push_back(line.square); });
  return found;
}

TEST(LineBlocks, LinesKeepTheirOrderWhateverTheThreads) {
  const uint64_t count = 2 * kBlockLines + 3;
  std::vector<uint64_t> expected;
  for (uint64_t i = 0; i < count; ++i) expected.push_back(i * i);
  for (const int threads : {1, 2, 5}) EXPECT_EQ(squares(count, 1, threads), expected) << threads << " threads";
}

TEST(LineBlocks, ALineLargerThanABlockIsABlock) { EXPECT_EQ(squares(3, kBlockBytes + 1, 2).size(), 3U); }

TEST(LineBlocks, ABlockThatEndsWithTheInputIsTheLast) { EXPECT_EQ(squares(kBlockLines, 1, 2).size(), kBlockLines); }

TEST(LineBlocks, NoLinesAreNoBlock) { EXPECT_TRUE(squares(0, 1, 2).empty()); }

}  // namespace
}  // namespace ventris::data
