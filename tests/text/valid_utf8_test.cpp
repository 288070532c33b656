#include "text/valid_utf8.h"

#include <gtest/gtest.h>

#include "core/random.h"

namespace ventris::text {
namespace {

std::string encoded(char32_t code) {
  std::string bytes;
  if (code < 0x80) return {static_cast<char>(code)};
  const auto continuation = [&](int shift) { bytes += static_cast<char>(0x80 | (code >> shift & 0x3F)); };
  if (code < 0x800) {
    bytes += static_cast<char>(0xC0 | code >> 6);
  } else if (code < 0x10000) {
    bytes += static_cast<char>(0xE0 | code >> 12);
    continuation(6);
  } else {
    bytes += static_cast<char>(0xF0 | code >> 18);
    continuation(12);
    continuation(6);
  }
  continuation(0);
  return bytes;
}

TEST(Utf8, EveryCodePointButSurrogatesIsValid) {
  for (char32_t code = 0; code <= 0x10FFFF; code += code < 0x11000 ? 1 : 97) {
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    ASSERT_EQ(is_valid_utf8(encoded(code)), !surrogate) << std::hex << static_cast<uint32_t>(code);
  }
  EXPECT_TRUE(is_valid_utf8(encoded(0x10FFFF)));
  EXPECT_TRUE(is_valid_utf8(""));
}

TEST(Utf8, OverlongTooBigAndCutFormsAreInvalid) {
  for (const char* bytes :
       {"\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xE0\x9F\xBF", "\xF0\x80\x80\x80", "\xF0\x8F\xBF\xBF", "\xFF",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xC3", "\xE2\x82", "\xF0\x9F\x98", "abcdefgh\xE9"}) {
    EXPECT_FALSE(is_valid_utf8(bytes)) << bytes;
  }
}

TEST(Utf8, EachMaximalIllFormedPieceBecomesOneReplacement) {
  // The example of Unicode 15, table 3-8 and following: four, four and three replacements.
  EXPECT_EQ(replace_invalid_utf8("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41"),
            "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA");
  EXPECT_EQ(replace_invalid_utf8("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41"),
            "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA");
  EXPECT_EQ(replace_invalid_utf8("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42"),
            "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA\uFFFD\uFFFDB");
  EXPECT_EQ(replace_invalid_utf8("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"), "\uFFFD\uFFFD\uFFFD\uFFFDA");
}

TEST(Utf8, ReplacingKeepsValidTextAndAlwaysGivesValidText) {
  const core::RandomStream random(1, 0);
  for (uint64_t trial = 0; trial < 3000; ++trial) {
    std::string bytes;
    for (uint64_t i = 0; i < trial % 24; ++i) bytes += static_cast<char>(random.below(trial * 32 + i, 256));
    const std::string replaced = replace_invalid_utf8(bytes);
    ASSERT_TRUE(is_valid_utf8(replaced));
    ASSERT_EQ(replace_invalid_utf8(replaced), replaced);
    if (is_valid_utf8(bytes)) {
      ASSERT_EQ(replaced, bytes);
    }
  }
}

TEST(Utf8, WhiteSpaceAndControlsAreBlankAndNothingElseIs) {
  EXPECT_TRUE(is_blank(""));
  EXPECT_TRUE(is_blank(std::string_view(" \t\r\0\x7F", 5)));
  EXPECT_TRUE(is_blank("\u0085\u00A0\u1680\u2000\u200A\u2028\u2029\u202F\u205F\u3000"));
  EXPECT_FALSE(is_blank("  . "));
  EXPECT_FALSE(is_blank("\u00A1"));
  EXPECT_FALSE(is_blank("\xFF"));
}

TEST(Utf8, TheFirstCharacterIsWhole) {
  EXPECT_EQ(first_character("äb"), "ä");
  EXPECT_EQ(first_character("\xE2\x82z"), "\xE2\x82");
  EXPECT_EQ(first_character(""), "");
}

TEST(Utf8, LineEndsBecomeSpaces) {
  std::string text = "a\nb\r\n\u0085\u2028c";
  remove_line_ends(text);
  EXPECT_EQ(text, "a b  \u0085\u2028c");
}

TEST(Utf8, CarriageReturnsBeforeLineFeedsAreRemoved) {
  EXPECT_EQ(with_line_feeds("a\r\nb\n\r\r\n\r"), "a\nb\n\r\n\r");
  EXPECT_EQ(with_line_feeds(""), "");
}

TEST(BlocksOf, AreCutAtSpacesOrElseBetweenCharacters) {
  using Blocks = std::vector<std::string_view>;
  EXPECT_EQ(blocks_of("", 4), Blocks{""});
  EXPECT_EQ(blocks_of("abcd", 4), Blocks{"abcd"});
  EXPECT_EQ(blocks_of("ab cd ef", 4), (Blocks{"ab", "cd", "ef"}));
  EXPECT_EQ(blocks_of("abcd ef", 4), (Blocks{"abcd", "ef"}));
  EXPECT_EQ(blocks_of("abcdef", 4), (Blocks{"abcd", "ef"}));
  EXPECT_EQ(blocks_of("a\u00e9\u00e9", 4), (Blocks{"a\u00e9", "\u00e9"}));
  EXPECT_EQ(blocks_of("     x", 4), (Blocks{"    ", "x"}));
}

}  // namespace
}  // namespace ventris::text
