#include "metrics/tokenization.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "metrics/unicode.h"
#include "support/errors.h"

namespace ventris::metrics {
namespace {

std::string tokens(const std::string& line, Tokenization tokenization = Tokenization::k13a) {
  return join_words(split_words(tokenize(tokenization, line)));
}

TEST(Tokenizer13a, PunctuationStandsAloneButApostrophesAndDashesDoNot) {
  EXPECT_EQ(tokens("\"Hello,\" (he) said: don't well-known!"), "\" Hello , \" ( he ) said : don't well-known !");
  EXPECT_EQ(tokens("a/b [c] {d} e@f #g $1 50% x=y ~z"), "a / b [ c ] { d } e @ f # g $ 1 50 % x = y ~ z");
}

TEST(Tokenizer13a, StopsAndDashesFollowTheDigitsAroundThem) {
  EXPECT_EQ(tokens("1,000.50 3.a a.3 U.S. 10-20 -5 x-1."), "1,000.50 3 . a a . 3 U . S . 10 - 20 -5 x-1 .");
  EXPECT_EQ(tokens("..."), ". . .");
  EXPECT_EQ(tokens("2017."), "2017 .");
}

TEST(Tokenizer13a, EntitiesAreUnescapedOneKindAfterTheOther) {
  EXPECT_EQ(tokens("&lt;b&gt; &amp;lt; &amp;quot; &apos;"), "< b > < & quot ; & apos ;");
}

TEST(Tokenizer13a, SkippedMarksAndBrokenLinesAreJoined) {
  EXPECT_EQ(tokens("a<skipped>b multi-\nline\ntext"), "ab multiline text");
}

TEST(Tokenizer13a, OtherScriptsAreLeftAlone) { EXPECT_EQ(tokens("„你好，世界。“ ١.٢"), "„你好，世界。“ ١ . ٢"); }

TEST(TokenizerNone, LeavesTheLineAsItIs) { EXPECT_EQ(tokenize(Tokenization::kNone, " a, &amp; b."), " a, &amp; b."); }

TEST(TokenizerIntl, UnicodePunctuationAndSymbolsStandAlone) {
  EXPECT_EQ(tokens("„Hallo“ – 5€, «x» a+b ½.", Tokenization::kIntl), "„ Hallo “ – 5 € , « x » a + b ½.");
  EXPECT_EQ(tokens("don't 👍👍 你好，世界。", Tokenization::kIntl), "don ' t 👍 👍 你好 ， 世界 。");
}

TEST(TokenizerIntl, NumbersKeepTheirMarksAndEntitiesStay) {
  EXPECT_EQ(tokens("1,000.50 ١٫٢ 10-20 in 2017.", Tokenization::kIntl), "1,000.50 ١٫٢ 10-20 in 2017.");
  EXPECT_EQ(tokens("&amp;", Tokenization::kIntl), "& amp ;");
}

TEST(TokenizerZh, ChineseCharactersStandAloneTheRestIs13a) {
  EXPECT_EQ(tokens("你好，world! 3.14", Tokenization::kZh), "你 好 ， world ! 3.14");
  EXPECT_EQ(tokens("&amp; 2017.", Tokenization::kZh), "& amp ; 2017.");
}

TEST(TokenizerZh, TheRangesAreThoseThatSacrebleuReallyHas) {
  EXPECT_EQ(tokens("a“b”–c…d€e→f", Tokenization::kZh), "a “ b ” – c … d € e → f");
  EXPECT_EQ(tokens("\U00020000\U00020001\U0002F800", Tokenization::kZh), "\U00020000\U00020001\U0002F800");
  EXPECT_EQ(tokens("a\u2A6Db\u2A6Ec\u2F81d\u2FA1e", Tokenization::kZh), "a \u2A6D b\u2A6Ec \u2F81 d \u2FA1 e");
}

TEST(TokenizerChar, EveryCharacterIsAWord) {
  EXPECT_EQ(tokens("ab, ç\u3000👍", Tokenization::kChar), "a b , ç 👍");
  EXPECT_EQ(tokens("", Tokenization::kChar), "");
}

TEST(TokenizerSpm, NeedsAModel) {
  EXPECT_FAILS(tokenize(Tokenization::kSpm, "x"), std::invalid_argument, "spm needs a model");
}

TEST(Tokenizers, AHundredDetachedFullStopsLookTokenized) {
  std::vector<std::string> lines(99, "That is all .");
  lines.insert(lines.end(), 50, "That is all.");
  EXPECT_FALSE(looks_tokenized(lines));
  lines.emplace_back("And this .");
  EXPECT_TRUE(looks_tokenized(lines));
}

}  // namespace
}  // namespace ventris::metrics
