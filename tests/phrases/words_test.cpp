#include "phrases/words.h"

#include <gtest/gtest.h>

namespace ventris::phrases {
namespace {

TEST(Words, LettersDigitsAndMarksBelongToWords) {
  for (const char32_t c : {U'a', U'ß', U'7', U'д', U'\u0301', U'א'}) EXPECT_TRUE(is_word_character(c)) << uint32_t{c};
  for (const char32_t c : {U' ', U'.', U'-', U'„', U'\u2581', U'€'}) EXPECT_FALSE(is_word_character(c)) << uint32_t{c};
}

TEST(Words, ScriptsWithoutSpacesHaveNoBorders) {
  for (const char32_t c : {U'狗', U'は', U'カ', U'ก', U'개'}) EXPECT_FALSE(is_word_character(c)) << uint32_t{c};
}

TEST(Words, EndWhereTheNextOneBegins) {
  using Ends = std::vector<size_t>;
  EXPECT_EQ(word_ends(U"ab, c7"), (Ends{2, 3, 4, 6}));
  EXPECT_EQ(word_ends(U"狗叫a"), (Ends{1, 2, 3}));
  EXPECT_EQ(word_ends(U""), Ends());
}

TEST(Words, TheFirstAndTheLastCharacterMayHaveSeveralBytes) {
  EXPECT_EQ(first_of("äb"), U'ä');
  EXPECT_EQ(last_of("bä"), U'ä');
  EXPECT_EQ(last_of(""), 0U);
}

}  // namespace
}  // namespace ventris::phrases
