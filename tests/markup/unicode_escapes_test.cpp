#include "markup/unicode_escapes.h"

#include <gtest/gtest.h>

namespace ventris::markup {
namespace {

TEST(UnicodeEscapes, OneOrTwoEscapesAreACharacter) {
  std::string text;
  EXPECT_EQ(read_unicode_escape("\\u00FCx", 2, 'u', text), 6U);
  EXPECT_EQ(read_unicode_escape("\\uD83D\\uDE00", 2, 'u', text), 12U);
  EXPECT_EQ(text, "\u00FC\U0001F600");
}

TEST(UnicodeEscapes, HalfACharacterIsNone) {
  for (const char* escape : {"\\u12", "\\u12g4", "\\uD83D", "\\uD83D\\u0041", "\\uDE00", "\\uD83D\\UDE00", "\\u"}) {
    std::string text;
    EXPECT_EQ(read_unicode_escape(escape, 2, 'u', text), std::string_view::npos) << escape;
  }
}

TEST(UnicodeEscapes, WhatIsWrittenIsReadAgain) {
  for (const char32_t c : {U'\u00E4', U'\uFFFD', U'\U0001F600', U'\U0010FFFF'}) {
    std::string escape, text;
    append_unicode_escape(escape, c);
    EXPECT_EQ(read_unicode_escape(escape, 2, 'u', text), escape.size()) << escape;
  }
}

}  // namespace
}  // namespace ventris::markup
