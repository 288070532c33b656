#include "alignment/pair_counts.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "core/parallel.h"

namespace ventris::alignment {
namespace {

TEST(PairCounts, HasWhatWasInserted) {
  std::mt19937 random(1);
  std::map<std::pair<int32_t, int32_t>, uint64_t> expected;
  for (int i = 0; i < 5000; ++i) expected[{random() % 300, random() % 300}] = random();
  PairCounts counts(expected.size());
  for (const auto& [pair, count] : expected) counts.insert(pair.first, pair.second, Likeness::kAlike, count);
  EXPECT_EQ(counts.size(), expected.size());
  for (int32_t source = 0; source < 300; ++source) {
    for (int32_t target = 0; target < 300; ++target) {
      const auto found = expected.find({source, target});
      const auto* entry = counts.find(source, target);
      ASSERT_EQ(entry != nullptr, found != expected.end());
      if (entry == nullptr) continue;
      EXPECT_EQ(entry->count(), found->second);
      EXPECT_EQ(entry->likeness(), Likeness::kAlike);
      EXPECT_EQ(entry->source(), source);
      EXPECT_EQ(entry->target(), target);
    }
  }
}

TEST(PairCounts, AnEmptyTableHasNothing) { EXPECT_EQ(PairCounts().find(0, 0), nullptr); }

TEST(PairCounts, ThreadsAddTogether) {
  PairCounts counts(1);
  counts.insert(1, 2, Likeness::kSame);
  core::parallel_for(64, 4, [&](size_t index, int /*worker*/) {
    for (int i = 0; i < 100; ++i) PairCounts::add(*counts.find(1, 2), index);
  });
  EXPECT_EQ(counts.find(1, 2)->count(), 100U * 63 * 64 / 2);
  EXPECT_EQ(counts.find(1, 2)->likeness(), Likeness::kSame);
  counts.set_counts_to_zero();
  EXPECT_EQ(counts.find(1, 2)->count(), 0U);
  EXPECT_EQ(counts.find(1, 2)->likeness(), Likeness::kSame);
}

TEST(PairCounts, PairsWithoutCountGoUnlessTheyAreAlike) {
  PairCounts counts(3);
  counts.insert(0, 0, Likeness::kUnlike, 0);
  counts.insert(0, 1, Likeness::kVeryAlike, 0);
  counts.insert(1, 0, Likeness::kUnlike, 5);
  counts.remove_zeros();
  EXPECT_EQ(counts.size(), 2U);
  EXPECT_EQ(counts.find(0, 0), nullptr);
  EXPECT_NE(counts.find(0, 1), nullptr);
  EXPECT_EQ(counts.find(1, 0)->count(), 5U);
}

}  // namespace
}  // namespace ventris::alignment
