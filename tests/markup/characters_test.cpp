#include "markup/characters.h"

#include <gtest/gtest.h>

namespace ventris::markup {
namespace {

TEST(IsWordPart, LettersAndDigitsOnEitherSideAre) {
  const std::string_view text = "\u00e9 7.";
  EXPECT_TRUE(is_word_part(text, 0, false));
  EXPECT_TRUE(is_word_part(text, 2, true));
  EXPECT_FALSE(is_word_part(text, 2, false));
  EXPECT_TRUE(is_word_part(text, 4, true));
  EXPECT_FALSE(is_word_part(text, 4, false));
}

TEST(IsWordPart, NothingIsBesideTheEnds) {
  EXPECT_FALSE(is_word_part("a", 0, true));
  EXPECT_FALSE(is_word_part("a", 1, false));
  EXPECT_FALSE(is_word_part("\u201C", 3, true));
}

TEST(HasLetters, KnowsThoseOfEveryScriptAndNoDigits) {
  for (const std::string text : {"a", "- \u00e9", "\u4f60", "7 km", "\u0915"}) EXPECT_TRUE(has_letters(text)) << text;
  for (const std::string text : {"", " \n", "...", "{}", "\uFFFC", "\U0001F600", "\xFF", "7", "3.5", "2020-01-01",
                                 "5 \u20ac", "\u0663", "\u00bd"}) {
    EXPECT_FALSE(has_letters(text)) << text;
  }
}

TEST(LineGoesOn, ALongLineDoesInSmallLetters) {
  const std::string line = "This is a long line of text, and";
  EXPECT_TRUE(line_goes_on(line, "it goes on"));
  EXPECT_TRUE(line_goes_on(line + " \t", "\u00e4"));
  for (const char* next : {"", " it", "It", "1"}) EXPECT_FALSE(line_goes_on(line, next)) << next;
  for (const char* end : {".", ":", "\u2026", "?  "}) EXPECT_FALSE(line_goes_on(line + end, "it")) << end;
  EXPECT_FALSE(line_goes_on("short", "it"));
}

}  // namespace
}  // namespace ventris::markup
