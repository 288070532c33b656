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

}  // namespace
}  // namespace ventris::markup
