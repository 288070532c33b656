#include "inspection/line_hashes.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace ventris::inspection {
namespace {

TEST(LineHashes, LikeTextsHaveDifferentHashes) {
  std::set<uint64_t> seen;
  std::string zeros;
  for (int i = 0; i < 1000; ++i) {
    seen.insert(hash_of(zeros));
    seen.insert(hash_of("line " + std::to_string(i)));
    zeros += '\0';
  }
  EXPECT_EQ(seen.size(), 2000U);
  EXPECT_NE(hash_of(hash_of("a"), hash_of("b")), hash_of(hash_of("b"), hash_of("a")));
}

TEST(Repetitions, EachLineThatStoodThereBeforeCounts) {
  Repetitions lines;
  for (const char* line : {"a", "b", "a", "a", "c", "b"}) lines.add(hash_of(line));
  EXPECT_EQ(lines.count(), 3);
  EXPECT_EQ(Repetitions().count(), 0);
}

TEST(Occurrences, LinesOfTheFirstTextAreFoundInTheSecond) {
  Occurrences test_set;
  for (const char* line : {"a", "b", "b", "c"}) test_set.add(hash_of(line));
  EXPECT_TRUE(test_set.look_up(hash_of("b")));
  EXPECT_TRUE(test_set.look_up(hash_of("b")));
  EXPECT_FALSE(test_set.look_up(hash_of("d")));
  EXPECT_EQ(test_set.lines(), 4);
  EXPECT_EQ(test_set.found(), 2);  // both of its lines "b"
}

}  // namespace
}  // namespace ventris::inspection
