#include "documents/sentence_characters.h"

#include <gtest/gtest.h>

namespace ventris::documents {
namespace {

TEST(SentenceCharacters, SomeTerminatorsWantASpaceAfterThem) {
  for (const UChar32 c : {0x2E, 0x21, 0x3F, 0x2026}) EXPECT_TRUE(is_terminator(c) && wants_space(c)) << c;
  for (const UChar32 c : {0x3002, 0xFF01, 0x964, 0x61F}) EXPECT_TRUE(is_terminator(c) && !wants_space(c)) << c;
  for (const UChar32 c : {0x2C, 0x61, 0x20}) EXPECT_FALSE(is_terminator(c)) << c;
}

TEST(SentenceCharacters, ClosingOnesAreNoOpeningBrackets) {
  for (const UChar32 c : {0x22, 0x29, 0x201D, 0x201C, 0xBB, 0x300D, 0xFFFC}) EXPECT_TRUE(is_closing(c)) << c;
  for (const UChar32 c : {0x28, 0x5B, 0x300C, 0x61}) EXPECT_FALSE(is_closing(c)) << c;
}

TEST(SentenceCharacters, HangulHasSpaces) {
  EXPECT_TRUE(is_unspaced(0x4F60));
  EXPECT_FALSE(is_unspaced(0xAC00));
  EXPECT_FALSE(is_unspaced('a'));
}

TEST(SentenceCharacters, AnEmojiMayHaveSeveralCharacters) {
  EXPECT_TRUE(is_pictograph(0x1F600));
  EXPECT_TRUE(is_pictograph(0x1F1E9));
  EXPECT_FALSE(is_pictograph('7'));
  EXPECT_FALSE(is_pictograph(0xA9));
  for (const UChar32 c : {0x200D, 0xFE0F, 0x1F3FD}) EXPECT_TRUE(continues_pictograph(c)) << c;
}

TEST(SentenceCharacters, WordsOfSomeLanguagesTouchTheNextOne) {
  for (const UChar32 c : {0x6211, 0x3042, 0x0E19, 0xD559}) EXPECT_TRUE(touches_next_word(c)) << c;
  for (const UChar32 c : {0x61, 0x0436, 0x5D0, 0x20, -1}) EXPECT_FALSE(touches_next_word(c)) << c;
}

}  // namespace
}  // namespace ventris::documents
