#include "metrics/tokenizers.h"

#include <gtest/gtest.h>

#include "metrics/unicode.h"

namespace ventris::metrics {
namespace {

std::string tokens(const std::string& line) {
  const std::string text = tokenize(Tokenization::k13a, line);
  std::string joined;
  for (const auto word : split_words(text)) joined.append(joined.empty() ? "" : " ").append(word);
  return joined;
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

TEST(Tokenizers, AHundredDetachedFullStopsLookTokenized) {
  std::vector<std::string> lines(99, "That is all .");
  lines.insert(lines.end(), 50, "That is all.");
  EXPECT_FALSE(looks_tokenized(lines));
  lines.emplace_back("And this .");
  EXPECT_TRUE(looks_tokenized(lines));
}

}  // namespace
}  // namespace ventris::metrics
