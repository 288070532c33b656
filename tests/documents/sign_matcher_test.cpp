#include "documents/sign_matcher.h"

#include <gtest/gtest.h>

#include <string>

namespace ventris::documents {
namespace {

TEST(SignMatcher, LooksAtSignsAlsoBehindTheEnd) {
  const SignMatcher matcher("a1%%");
  EXPECT_TRUE(matcher.is_at(2, "%%"));
  EXPECT_FALSE(matcher.is_at(3, "%%"));
  EXPECT_FALSE(matcher.is_at(9, "%"));
  EXPECT_TRUE(matcher.is_letter(0));
  EXPECT_TRUE(matcher.is_digit(1));
  EXPECT_FALSE(matcher.is_alnum(4));
}

TEST(SignMatcher, CountsAtMostThreeLettersThatAreNotOfCjk) {
  EXPECT_EQ(SignMatcher("words").letters_behind(0), 3U);
  EXPECT_EQ(SignMatcher("a b").letters_behind(0), 1U);
  EXPECT_EQ(SignMatcher("\u4f60a").letters_behind(0), 0U);
}

TEST(SignMatcher, FindsTheEndOfWhatIsBetweenSigns) {
  EXPECT_EQ(SignMatcher("<%= a %> b").end_between(3, "%>"), 8U);
  EXPECT_EQ(SignMatcher("<%%>").end_between(2, "%>"), kNoEnd) << "nothing is in between";
  EXPECT_EQ(SignMatcher(std::string(2 * kLongestTag, 'a') + "%>").end_between(0, "%>"), kNoEnd);
  EXPECT_EQ(SignMatcher("{a-b} c").end_in_word(1, '}'), 5U);
  EXPECT_EQ(SignMatcher("{a b}").end_in_word(1, '}'), kNoEnd) << "a space is in between";
}

}  // namespace
}  // namespace ventris::documents
