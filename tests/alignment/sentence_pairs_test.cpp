#include "alignment/sentence_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ventris::alignment {
namespace {

using testing::ElementsAre;
using Words = std::vector<std::string_view>;

TEST(SentencePairs, ReturnsTheWordsOfEachSide) {
  SentencePairs pairs(4);
  pairs.add(Words{"a", "b", "A"}, Words{"x"});
  pairs.add(Words{}, Words{"y", "x"});
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_THAT(pairs.source(0), ElementsAre(0, 1, 0));
  EXPECT_THAT(pairs.source(1), ElementsAre());
  EXPECT_THAT(pairs.target(1), ElementsAre(1, 0));
  EXPECT_EQ(pairs.target_words().tokens(), 3);
}

TEST(SentencePairs, WithoutPairsTheWordsStay) {
  SentencePairs pairs(4);
  pairs.add(Words{"a"}, Words{"x"});
  pairs.clear();
  EXPECT_EQ(pairs.size(), 0U);
  pairs.add(Words{"b", "a"}, Words{"z"}, false);
  EXPECT_THAT(pairs.source(0), ElementsAre(1, 0));
  EXPECT_EQ(pairs.source_words().tokens(), 1);
}

TEST(SentencePairs, OnlyPairsOfOneToTheMostWordsCanHaveLinks) {
  SentencePairs pairs(4);
  const Words one{"a"}, most(kMostWords, "a"), more(kMostWords + 1, "a");
  pairs.add(one, most);
  pairs.add(one, more);
  pairs.add(more, one);
  pairs.add({}, one);
  pairs.add(one, {});
  std::vector<bool> can;
  for (size_t pair = 0; pair < pairs.size(); ++pair) can.push_back(can_have_links(pairs, pair));
  EXPECT_THAT(can, ElementsAre(true, false, false, false, false));
}

}  // namespace
}  // namespace ventris::alignment
