#include "metrics/ter.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "support/errors.h"

namespace ventris::metrics {
namespace {

TEST(Ter, EditsAreDividedByTheWordsOfTheReference) {
  EXPECT_DOUBLE_EQ(sentence_ter("the cat sat on the mat", {"the cat sat on a mat"}).score, 100.0 / 6);
  EXPECT_DOUBLE_EQ(sentence_ter("on the mat the cat sat", {"the cat sat on the mat"}).score, 100.0 / 6);
  EXPECT_DOUBLE_EQ(sentence_ter("a b c d", {"x"}).score, 400);
}

TEST(Ter, TheClosestReferenceIsDividedByTheMeanLength) {
  EXPECT_DOUBLE_EQ(sentence_ter("a b", {"a c", "a b c d"}).score, 100.0 / 3);
}

TEST(Ter, SumsAreScoredNotScoresSummed) {
  EXPECT_DOUBLE_EQ(corpus_ter({"a", "b c d"}, {{"x", "b c d"}}).score, 25);
  EXPECT_EQ(corpus_ter({}, {{}}).score, 0);
}

TEST(Ter, WithoutReferenceWordsItIsAllOrNothing) {
  EXPECT_EQ(sentence_ter("a b", {""}).score, 100);
  EXPECT_EQ(sentence_ter("", {""}).score, 0);
  EXPECT_EQ(sentence_ter("", {"a"}).score, 100);
}

TEST(Ter, ThreadsChangeNothing) {
  const std::vector<std::string> hypotheses(300, "b a c x"), reference(300, "a b c");
  const auto alone = ter_statistics(hypotheses, {reference}), together = ter_statistics(hypotheses, {reference}, {}, 4);
  ASSERT_EQ(together.size(), 300U);
  for (size_t i = 0; i < alone.size(); ++i) EXPECT_EQ(together[i].edits, alone[i].edits);
}

TEST(Ter, ReferencesMustBeThere) { EXPECT_FAILS(sentence_ter("a", {}), std::invalid_argument, "no references"); }

TEST(Tercom, LowerCaseIsTheDefault) {
  TerOptions options;
  EXPECT_EQ(tokenize_tercom("  The  CAT, ", options), "the cat,");
  options.case_sensitive = true;
  EXPECT_EQ(tokenize_tercom("The  CAT,", options), "The CAT,");
}

TEST(Tercom, NormalisationSplitsPunctuationAndPossessives) {
  TerOptions options;
  options.normalized = true;
  EXPECT_EQ(tokenize_tercom("John's &quot;cat&quot;, 1,000.5 (3-4) a.b", options),
            "john 's \" cat \" , 1,000.5 ( 3 - 4 ) a . b");
  EXPECT_EQ(tokenize_tercom("multi\n-line\ntext", options), "multiline text");
}

TEST(Tercom, PunctuationCanBeLeftOut) {
  TerOptions options;
  options.no_punctuation = true;
  EXPECT_EQ(tokenize_tercom("(Hi), \"you\"; it's 3.5: ok?!", options), "hi you it's 35 ok");
  EXPECT_EQ(tokenize_tercom("你好，世界。", options), "你好，世界。");
  options.asian_support = true;
  EXPECT_EQ(tokenize_tercom("你好，世界。", options), "你好世界");
}

TEST(Tercom, AsianCharactersStandAloneWhenNormalised) {
  TerOptions options;
  options.asian_support = true;
  EXPECT_EQ(tokenize_tercom("你好，世界。", options), "你好，世界。");
  options.normalized = true;
  EXPECT_EQ(tokenize_tercom("你好，世界。カタカナ", options), "你 好 ， 世 界 。 カタカナ");
}

}  // namespace
}  // namespace ventris::metrics
