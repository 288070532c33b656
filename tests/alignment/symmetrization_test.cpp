#include "alignment/symmetrization.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace ventris::alignment {
namespace {

constexpr auto kAll = Symmetrization::kGrowDiagFinalAnd;

TEST(Symmetrization, IntersectionAndUnionAreThoseOfSets) {
  const Links forward{{0, 0}, {1, 1}}, backward{{1, 1}, {2, 2}};
  EXPECT_EQ(symmetrize(forward, backward, Symmetrization::kIntersection), (Links{{1, 1}}));
  EXPECT_EQ(symmetrize(forward, backward, Symmetrization::kUnion), (Links{{0, 0}, {1, 1}, {2, 2}}));
  EXPECT_EQ(symmetrize(forward, backward, Symmetrization::kForward), forward);
  EXPECT_EQ(symmetrize(forward, backward, Symmetrization::kBackward), backward);
}

TEST(Symmetrization, GrowsToNeighboursOfFreeWords) {
  // 1-2 is beside 1-1, and word 2 of the target is free. 3-3 is beside nothing. 0-1 has no free word once 0-0 is there.
  const Links forward{{0, 0}, {1, 1}, {1, 2}, {3, 4}}, backward{{0, 0}, {0, 1}, {1, 1}};
  EXPECT_EQ(symmetrize(forward, backward, Symmetrization::kGrowDiag), (Links{{0, 0}, {1, 1}, {1, 2}}));
}

TEST(Symmetrization, GrowsDiagonallyAndAgainFromWhatHasGrown) {
  const Links forward{{0, 0}, {1, 1}, {2, 2}}, backward{{0, 0}};
  EXPECT_EQ(symmetrize(forward, backward, Symmetrization::kGrowDiag), forward);
}

TEST(Symmetrization, FinallyTakesLinksOfWordsThatBothHaveNone) {
  const Links forward{{0, 0}, {0, 3}, {5, 5}}, backward{{0, 0}, {5, 7}, {8, 8}};
  EXPECT_EQ(symmetrize(forward, backward, Symmetrization::kGrowDiag), (Links{{0, 0}}));
  EXPECT_EQ(symmetrize(forward, backward, kAll), (Links{{0, 0}, {5, 5}, {8, 8}}));  // 5-7: 5 has a link by then
}

TEST(Symmetrization, NothingStaysNothing) { EXPECT_EQ(symmetrize({}, {}, kAll), Links{}); }

Links drawn_links(std::mt19937& random) {
  Links links;
  for (int i = 0; i < 8; ++i) links.push_back({static_cast<int32_t>(random() % 6), static_cast<int32_t>(random() % 7)});
  std::ranges::sort(links);
  links.erase(std::unique(links.begin(), links.end()), links.end());
  return links;
}

TEST(Symmetrization, EachWayContainsTheStricterOne) {
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    const Links forward = drawn_links(random), backward = drawn_links(random);
    const auto links = [&](Symmetrization how) { return symmetrize(forward, backward, how); };
    const Links intersection = links(Symmetrization::kIntersection), grown = links(Symmetrization::kGrowDiag),
                finished = links(kAll), either = links(Symmetrization::kUnion);
    for (const Links& some : {intersection, grown, finished, either}) EXPECT_TRUE(std::ranges::is_sorted(some));
    EXPECT_TRUE(std::ranges::includes(grown, intersection));
    EXPECT_TRUE(std::ranges::includes(finished, grown));
    EXPECT_TRUE(std::ranges::includes(either, finished));
  }
}

}  // namespace
}  // namespace ventris::alignment
