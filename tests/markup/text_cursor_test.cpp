#include "markup/text_cursor.h"

#include <gtest/gtest.h>

namespace ventris::markup {
namespace {

TEST(TextCursor, CharactersAreFoundAtAByteAndBeforeIt) {
  const std::string_view text = "a\u00e4b";
  EXPECT_EQ(character_at(text, 1), 0xE4);
  EXPECT_EQ(character_before(text, 3), 0xE4);
  EXPECT_EQ(after_character(text, 1), 3U);
  EXPECT_EQ(character_at(text, 4), -1);
  EXPECT_EQ(character_before(text, 0), -1);
  EXPECT_LT(character_at("\xFF", 0), 0);
}

TEST(TextCursor, ARunEndsWithTheFirstCharacterOfAnotherKind) {
  EXPECT_EQ(end_of_run("x\u00e4_1-", 0, is_word_character), 5U);
  EXPECT_EQ(end_of_run("xy", 2, is_word_character), 2U);
}

TEST(TextCursor, EmojiAreWideButNotChinese) {
  EXPECT_TRUE(is_cjk(0x4F60) && is_cjk(0xAC00) && is_cjk(0xFF01) && is_cjk(0x3002));
  EXPECT_FALSE(is_cjk('a') || is_cjk(0x1F600) || is_cjk(-1));
}

}  // namespace
}  // namespace ventris::markup
