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

TEST(Words, APhraseMustBeWholeWords) {
  EXPECT_TRUE(has_words("der Hund bellt", "Hund"));
  EXPECT_TRUE(has_words("\u201eHund\u201c", "Hund"));
  EXPECT_TRUE(has_words("Hunde und Hund", "Hund"));
  EXPECT_FALSE(has_words("Hunde", "Hund"));
  EXPECT_FALSE(has_words("Haushund Schlosshund", "hund"));
  EXPECT_FALSE(has_words("der hund", "Hund"));
  EXPECT_FALSE(has_words("", "Hund"));
}

TEST(Words, SignsNeedNoBorders) {
  EXPECT_TRUE(has_words("5%", "%"));
  EXPECT_TRUE(has_words("ab.cd", "."));
  EXPECT_TRUE(has_words("那只狗在叫", "狗"));
  EXPECT_FALSE(has_words("15%", "5%"));
}

TEST(Words, TheFirstAndTheLastCharacterMayHaveSeveralBytes) {
  EXPECT_EQ(first_of("äb"), U'ä');
  EXPECT_EQ(last_of("bä"), U'ä');
  EXPECT_EQ(last_of(""), 0U);
}

}  // namespace
}  // namespace ventris::phrases
