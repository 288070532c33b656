#include "metrics/bleu.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace ventris::metrics {
namespace {

TEST(Bleu, ATextAgainstItselfIsAHundred) {
  const std::vector<std::string> text{"The cat sat on the mat.", "And so it did."};
  const BleuScore score = corpus_bleu(text, {text});
  EXPECT_DOUBLE_EQ(score.score, 100);
  EXPECT_EQ(score.hyp_length, 12);
}

TEST(Bleu, MatchesAreClippedAndShortTextsPunished) {
  const BleuScore score = corpus_bleu({"the the the"}, {{"the cat sat on the mat"}});
  EXPECT_NEAR(score.precisions[0], 200.0 / 3, 1e-12);
  EXPECT_NEAR(score.brevity_penalty, std::exp(1 - 6.0 / 3), 1e-12);
}

TEST(Bleu, TheClosestReferenceCountsAndTheShorterOfTwo) {
  EXPECT_EQ(corpus_bleu({"a b c"}, {{"a b c d e f"}, {"a b"}, {"a b c d"}}).ref_length, 2);
}

TEST(Bleu, NothingInCommonIsZeroHoweverItIsSmoothed) {
  for (const auto smoothing : {Smoothing::kExp, Smoothing::kFloor, Smoothing::kAddK, Smoothing::kNone}) {
    BleuOptions options;
    options.smoothing = smoothing;
    EXPECT_EQ(corpus_bleu({"a b c d"}, {{"e f g h"}}, options).score, 0);
    EXPECT_EQ(sentence_bleu("", {"e f g h"}, options).score, 0);
    EXPECT_EQ(sentence_bleu("a", {""}, options).score, 0);
  }
}

TEST(Bleu, AShortSentenceIsJudgedByTheOrdersItHas) {
  EXPECT_DOUBLE_EQ(sentence_bleu("two words", {"two words"}).score, 100);
  EXPECT_EQ(corpus_bleu({"two words"}, {{"two words"}}).score, 0);
}

TEST(Bleu, LowercaseForgivesCase) {
  BleuOptions options;
  options.lowercase = true;
  EXPECT_LT(corpus_bleu({"DIE KATZE SASS DA"}, {{"die Katze sass da"}}).score, 1);
  EXPECT_DOUBLE_EQ(corpus_bleu({"DIE KATZE SASS DA"}, {{"die Katze sass da"}}, options).score, 100);
}

TEST(Bleu, TheCountsOfSegmentsSumToTheTexts) {
  const std::vector<std::string> hypotheses{"a b c d e", "f g"}, references{"a b c d f", "f h"};
  BleuStatistics sum;
  for (const BleuStatistics& segment : bleu_statistics(hypotheses, {references})) sum += segment;
  EXPECT_EQ(sum.matched, (std::array<int64_t, 4>{5, 3, 2, 1}));
  EXPECT_EQ(sum.total, (std::array<int64_t, 4>{7, 5, 3, 2}));
  EXPECT_EQ(bleu_score(sum).score, corpus_bleu(hypotheses, {references}).score);
}

TEST(Bleu, NoLinesAreZero) { EXPECT_EQ(corpus_bleu({}, {{}}).score, 0); }

TEST(Bleu, EveryHypothesisNeedsItsReferences) {
  EXPECT_THROW(corpus_bleu({"a"}, {}), std::invalid_argument);
  EXPECT_THROW(corpus_bleu({"a"}, {{"a"}, {"a", "b"}}), std::invalid_argument);
  EXPECT_THROW(sentence_bleu("a", {}), std::invalid_argument);
}

}  // namespace
}  // namespace ventris::metrics
