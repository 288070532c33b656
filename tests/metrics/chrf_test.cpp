#include "metrics/chrf.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace ventris::metrics {
namespace {

TEST(Chrf, ATextAgainstItselfIsAHundred) {
  const std::vector<std::string> text{"The cat sat.", "e\u0301"};
  EXPECT_DOUBLE_EQ(corpus_chrf(text, {text}).score, 100);
}

TEST(Chrf, WhiteSpaceDoesNotCountUnlessAskedFor) {
  EXPECT_DOUBLE_EQ(sentence_chrf("ab\u3000cd", {"a b c d"}).score, 100);
  ChrfOptions options;
  options.whitespace = true;
  EXPECT_LT(sentence_chrf("ab cd", {"a b c d"}, options).score, 90);
}

TEST(Chrf, CharactersAreCodePoints) {
  ChrfOptions options;
  options.char_order = 1;
  EXPECT_DOUBLE_EQ(sentence_chrf("你好", {"好你"}, options).score, 100);
  EXPECT_DOUBLE_EQ(sentence_chrf("你", {"佡"}, options).score, 0);  // two of three bytes are the same
}

TEST(Chrf, WordsLoseOneMarkAtTheirEndOrElseAtTheirStart) {
  ChrfOptions options;
  options.char_order = 0;
  options.word_order = 1;
  EXPECT_DOUBLE_EQ(sentence_chrf("hi) ho! \"he !", {"hi ) ho ! \" he !"}, options).score, 100);
  EXPECT_LT(sentence_chrf("(hi)", {"( hi )"}, options).score, 50);  // becomes "(hi" and ")"
}

TEST(Chrf, RecallCountsMoreThanPrecision) {
  EXPECT_GT(sentence_chrf("abcdefgh", {"abcd"}).score, sentence_chrf("abcd", {"abcdefgh"}).score);
}

TEST(Chrf, TheBestReferenceCounts) {
  EXPECT_DOUBLE_EQ(sentence_chrf("the cat", {"a dog", "the cat", "the cats"}).score, 100);
}

TEST(Chrf, NothingAtAllIsZero) {
  EXPECT_EQ(sentence_chrf("", {""}).score, 0);
  EXPECT_EQ(sentence_chrf("a", {""}).score, 0);
  EXPECT_EQ(corpus_chrf({}, {{}}).score, 0);
}

TEST(Chrf, EveryHypothesisNeedsItsReferences) {
  EXPECT_THROW(corpus_chrf({"a"}, {}), std::invalid_argument);
  EXPECT_THROW(corpus_chrf({"a"}, {{}}), std::invalid_argument);
}

}  // namespace
}  // namespace ventris::metrics
