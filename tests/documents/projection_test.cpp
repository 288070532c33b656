#include "documents/projection.h"

#include <gtest/gtest.h>

namespace ventris::documents {
namespace {

const std::string kSource = "a red car, and dogs.", kTarget = "Hunde und ein rotes Auto.";
const std::vector<translation::Link> kLinks{{0, 2}, {1, 3}, {2, 4}, {3, 1}, {4, 0}};

std::string span(size_t begin, size_t end) {
  const ByteRange range = Projection(kSource, kTarget, kLinks).span({begin, end});
  return kTarget.substr(range.begin, range.end - range.begin);
}

TEST(Projection, ASpanHasTheLinkedWordsAndPunctuationLikeItsSource) {
  EXPECT_EQ(span(2, 5), "rotes");
  EXPECT_EQ(span(2, 9), "rotes Auto");
  EXPECT_EQ(span(2, 10), "rotes Auto.");
  EXPECT_EQ(span(0, 20), kTarget);
  EXPECT_EQ(span(0, 19), kTarget.substr(0, kTarget.size() - 1));
}

TEST(Projection, ALinkFarAwayDoesNotStretchASpan) {
  const std::string target = "x y z a b";
  const Projection projection("A B", target, {{0, 0}, {1, 1}, {1, 2}, {0, 3}, {0, 4}});
  const ByteRange range = projection.span({0, 1});
  EXPECT_EQ(target.substr(range.begin, range.end - range.begin), "a b");
}

TEST(Projection, APointIsNextToTheTranslationOfItsNeighbour) {
  const Projection projection(kSource, kTarget, kLinks);
  EXPECT_EQ(projection.point(0), kTarget.find("ein"));
  EXPECT_EQ(projection.point(2), kTarget.find("rotes"));
  EXPECT_EQ(projection.point(9), kTarget.find('.'));  // after "car", before the comma
  EXPECT_EQ(projection.point(20), kTarget.find(" und"));
}

TEST(Projection, WithoutLinksAPointIsAtOneOfTheEnds) {
  const Projection projection("a b", "c d", {});
  EXPECT_EQ(projection.point(0), 0U);
  EXPECT_EQ(projection.point(2), 3U);
  EXPECT_EQ(projection.span({2, 3}).begin, projection.span({2, 3}).end);
  EXPECT_EQ(Projection("", "", {}).point(0), 0U);
}

TEST(Projection, TyingWordsReplacesTheirLinks) {
  Projection projection("a b", "c d", {{0, 0}, {0, 1}});
  projection.tie(2, 0);
  EXPECT_EQ(projection.linked_word(2).end, 1U);
  EXPECT_EQ(projection.linked_word(0).begin, 2U);
}

TEST(Projection, TheNearestWordHasALetter) {
  const std::string target = "A - B .";
  const Projection projection("a", target, {});
  const auto near = [&](size_t at) {
    const ByteRange word = projection.word_near(at);
    return target.substr(word.begin, word.end - word.begin);
  };
  EXPECT_EQ(near(0), "A");
  EXPECT_EQ(near(2), "B");
  EXPECT_EQ(near(6), "B");
  EXPECT_EQ(near(7), "B");
  EXPECT_EQ(projection.next_word(1), 2U);
  EXPECT_EQ(projection.next_word(7), 7U);
  EXPECT_EQ(Projection("a", ". -", {}).word_near(1).end, 1U);
}

TEST(Projection, PunctuationAloneIsThatOfTheLinkedWord) {
  const std::string target = "eins, zwei!";
  const Projection projection("one; two!", target, {{0, 0}, {1, 1}});
  const auto spanned = [&](ByteRange source) {
    const ByteRange span = projection.span(source);
    return target.substr(span.begin, span.end - span.begin);
  };
  EXPECT_EQ(spanned({3, 4}), ",");
  EXPECT_EQ(spanned({8, 9}), "!");
  const std::string bare = "eins zwei";
  const ByteRange none = Projection("one; two", bare, {{0, 0}, {1, 1}}).span({3, 4});
  EXPECT_EQ(none.begin, none.end);
}

}  // namespace
}  // namespace ventris::documents
