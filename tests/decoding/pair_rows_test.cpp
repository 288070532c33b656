#include "decoding/pair_rows.h"

#include <gtest/gtest.h>

namespace ventris::decoding {
namespace {

using Ids = std::vector<int32_t>;

Ids ids(std::span<const int32_t> found) { return {found.begin(), found.end()}; }

TEST(PairRows, ArePairsThatHaveATokenAtThePosition) {
  const Ids source{5}, longer{7, 8}, none;
  const std::vector<Pair> pairs{{source, longer}, {source, none}, {source, longer, /*ends=*/false}};
  PairRows rows(pairs);
  EXPECT_EQ(rows.sources().size(), 3U);
  ASSERT_TRUE(rows.follow(0, 2, 3));
  EXPECT_EQ(ids(rows.parents()), (Ids{0, 1, 2}));
  EXPECT_EQ(ids(rows.last_ids()), (Ids{2, 2, 2}));
  EXPECT_EQ(ids(rows.next_ids()), (Ids{7, 3, 7}));
  ASSERT_TRUE(rows.follow(1, 2, 3));
  EXPECT_EQ(ids(rows.parents()), (Ids{0, 2}));
  EXPECT_EQ(ids(rows.last_ids()), (Ids{7, 7}));
  EXPECT_EQ(ids(rows.next_ids()), (Ids{8, 8}));
  ASSERT_TRUE(rows.follow(2, 2, 3));
  EXPECT_EQ(ids(rows.parents()), (Ids{0}));
  EXPECT_EQ(ids(rows.next_ids()), (Ids{3}));
  EXPECT_EQ(rows.pairs(), (std::vector<size_t>{0}));
  EXPECT_FALSE(rows.follow(3, 2, 3));
}

TEST(PairRows, GroupsHaveAllPairsInOrderAndALongPairIsAlone) {
  const Ids source(1000, 5), huge(5000, 5), target(500, 6);
  const std::vector<Pair> pairs{{source, target}, {source, target}, {source, target}, {huge, target}, {source, target}};
  std::vector<std::pair<size_t, size_t>> groups;
  each_group(pairs, [&](size_t first, size_t count) { groups.emplace_back(first, count); });
  EXPECT_EQ(groups, (std::vector<std::pair<size_t, size_t>>{{0, 2}, {2, 1}, {3, 1}, {4, 1}}));
  groups.clear();
  each_group(pairs, [&](size_t first, size_t count) { groups.emplace_back(first, count); }, 8000);
  EXPECT_EQ(groups, (std::vector<std::pair<size_t, size_t>>{{0, 3}, {3, 2}}));
}

}  // namespace
}  // namespace ventris::decoding
