#include "metrics/word_division.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "metrics/unicode.h"

namespace ventris::metrics {
namespace {

using testing::ElementsAre;
using Words = std::vector<std::string_view>;

Words divide(std::string_view line) { return WordDivider(Division::kText).divide(line); }

TEST(WordDivider, WordsAreRunsOfLettersAndDigitsAndSingleSigns) {
  EXPECT_THAT(divide("Don't pay 3.50!!"), ElementsAre("Don", "'", "t", "pay", "3", ".", "50", "!", "!"));
  EXPECT_THAT(divide("  na\u00efve\u00a0cafe\u0301 \t"), ElementsAre("na\u00efve", "cafe\u0301"));
  EXPECT_THAT(divide(""), ElementsAre());
  EXPECT_THAT(divide(" \u3000 "), ElementsAre());
}

TEST(WordDivider, TextWithoutSpacesHasMoreThanOneWord) {
  for (const std::string_view line : {"我们一直在研究液态甲烷", "これはテストです", "ภาษาไทยง่ายมาก"}) {
    const Words words = divide(line);
    EXPECT_GT(words.size(), 2U) << line;
    std::string joined;
    for (const std::string_view word : words) joined += word;
    EXPECT_EQ(joined, line);
  }
}

TEST(WordDivider, SignsAndLettersOfOtherScriptsEndARunWithoutSpaces) {
  const Words words = divide("甲烷，2022年abc");
  EXPECT_THAT(words, testing::Contains("，"));
  EXPECT_THAT(words, testing::Contains("2022"));
  EXPECT_THAT(words, testing::Contains("abc"));
}

TEST(WordDivider, OfTokenizedTextWhiteSpaceEndsWords) {
  WordDivider divider(Division::kTokenized);
  EXPECT_THAT(divider.divide("Don't  pay 我们一直 3.50!! "), ElementsAre("Don't", "pay", "我们一直", "3.50!!"));
}

TEST(WordDivider, KoreanWordsEndAtSpaces) {
  EXPECT_THAT(divide("나는 학교에 간다."), ElementsAre("나는", "학교에", "간다", "."));
}

TEST(WordDivider, DividedTextIsDividedTheSameWayAtSpaces) {
  WordDivider text(Division::kText), tokenized(Division::kTokenized);
  for (const std::string line : {"We don't know, 我们不知道。", "ab\u200bc \u0301x -- 5%"}) {
    const Words words = text.divide(line);
    EXPECT_EQ(tokenized.divide(metrics::join_words(words)), words) << line;
  }
}

}  // namespace
}  // namespace ventris::metrics
