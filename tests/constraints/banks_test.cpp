#include "constraints/banks.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <numeric>

namespace ventris::constraints {
namespace {

using Sizes = std::vector<size_t>;

TEST(SharePlaces, EachBankGetsTheSameAndTheLastOneTheRest) {
  EXPECT_EQ(share_places(8, Sizes{9, 9, 9}), (Sizes{2, 2, 4}));
  EXPECT_EQ(share_places(6, Sizes{9, 9, 9}), (Sizes{2, 2, 2}));
  EXPECT_EQ(share_places(5, Sizes{9}), (Sizes{5}));
}

TEST(SharePlaces, WhatABankCannotFillGoesToTheLastOnesFirst) {
  EXPECT_EQ(share_places(6, Sizes{9, 9, 0}), (Sizes{2, 4, 0}));
  EXPECT_EQ(share_places(6, Sizes{1, 9, 3}), (Sizes{1, 2, 3}));
  EXPECT_EQ(share_places(9, Sizes{9, 1, 4}), (Sizes{4, 1, 4}));
}

TEST(SharePlaces, ASmallBeamIsForTheBanksWithTheMostTokens) {
  EXPECT_EQ(share_places(2, Sizes{5, 5, 1, 0}), (Sizes{0, 1, 1, 0}));
  EXPECT_EQ(share_places(0, Sizes{5, 5}), (Sizes{0, 0}));
  EXPECT_EQ(share_places(3, Sizes{}), Sizes{});
}

TEST(SharePlaces, NeverGivesMoreThanTheBeamNorThanThereIs) {
  EXPECT_TRUE(rc::check([] {
    const auto places = *rc::gen::inRange<size_t>(0, 40);
    const auto hypotheses = *rc::gen::container<Sizes>(rc::gen::inRange<size_t>(0, 12));
    const Sizes shares = share_places(places, hypotheses);
    RC_ASSERT(shares.size() == hypotheses.size());
    for (size_t i = 0; i < shares.size(); ++i) RC_ASSERT(shares[i] <= hypotheses[i]);
    const size_t all = std::accumulate(hypotheses.begin(), hypotheses.end(), size_t{0});
    RC_ASSERT(std::accumulate(shares.begin(), shares.end(), size_t{0}) == std::min(places, all));
  }));
}

}  // namespace
}  // namespace ventris::constraints
