#include "text/invisible.h"

#include <gtest/gtest.h>

namespace ventris::text {
namespace {

std::pair<int64_t, int64_t> counts(std::string_view text) {
  const InvisibleCount count = count_invisible(text);
  return {count.meaningless, count.misplaced};
}

using Pair = std::pair<int64_t, int64_t>;

TEST(Invisible, WhatAReaderSeesIsNotInvisible) {
  for (const char32_t code : {U'a', U' ', U'\n', U'-', U'\u00E9', U'\u00A0', U'\u3000', U'\uFFFC', U'\uFFFD'}) {
    EXPECT_FALSE(is_invisible(code)) << static_cast<uint32_t>(code);
  }
  for (const char32_t code : {U'\u00AD', U'\u200B', U'\u200D', U'\uFE0F', U'\uFEFF', U'\U000E0067'}) {
    EXPECT_TRUE(is_invisible(code)) << static_cast<uint32_t>(code);
  }
}

TEST(Invisible, CharactersWithoutMeaningAreCountedWhereverTheyAre) {
  EXPECT_EQ(counts("Donau\u00ADdampf\u200Bschiff \u202Aab\u202C \uFEFFc\u2060d"), Pair(6, 0));
  EXPECT_EQ(counts(""), Pair(0, 0));
  EXPECT_EQ(counts("plain text, na\u00EFve \u65E5\u672C"), Pair(0, 0));
}

TEST(Invisible, JoinersAndSelectorsHaveTheirUses) {
  for (const char* text :
       {"\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645",  // Persian
        "\u0915\u094D\u200D\u0937",                          // Hindi
        "\u2764\uFE0F", "1\uFE0F\u20E3", "\u00A9\uFE0F",     // a heart, a keycap, a sign in colour
        "\U0001F468\u200D\U0001F469", "\u2764\uFE0F\u200D\U0001F525",
        "\U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F",  // the flag of England
        "\u845B\U000E0100", "\u1820\u180B", "\u115F\u1161"}) {
    EXPECT_EQ(counts(text), Pair(0, 0)) << text;
  }
}

TEST(Invisible, WithoutTheirUseTheyAreMisplaced) {
  EXPECT_EQ(counts("Auf\u200Clage"), Pair(1, 0));
  EXPECT_EQ(counts("\u200Dabc"), Pair(0, 1));
  EXPECT_EQ(counts("a\uFE0Fb"), Pair(0, 1));
  EXPECT_EQ(counts("hidden\U000E0068\U000E0069"), Pair(1, 0));  // the second follows a tag
}

}  // namespace
}  // namespace ventris::text
