#include "metrics/unicode.h"

#include <gtest/gtest.h>

namespace ventris::metrics {
namespace {

using namespace std::string_literals;
using Words = std::vector<std::string_view>;

TEST(Unicode, TwentyNineCodePointsAreWhiteSpace) {
  size_t found = 0;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) found += is_space(c) ? 1 : 0;
  EXPECT_EQ(found, 29U);
  for (const char32_t c : {0x1CU, 0x1FU, 0x85U, 0xA0U, 0x1680U, 0x2000U, 0x200AU, 0x2028U, 0x202FU, 0x205FU, 0x3000U}) {
    EXPECT_TRUE(is_space(c)) << static_cast<uint32_t>(c);
  }
  for (const char32_t c : {0x08U, 0x1BU, 0x84U, 0x180EU, 0x200BU, 0x2060U, 0xFEFFU}) {
    EXPECT_FALSE(is_space(c)) << static_cast<uint32_t>(c);
  }
}

TEST(Unicode, WordsStandBetweenWhiteSpaceOfAnyKind) {
  EXPECT_EQ(split_words(""), Words{});
  EXPECT_EQ(split_words(" \t\u3000"), Words{});
  EXPECT_EQ(split_words("\u2003a\u00A0\u00E9\u0085 b\u200Bc\n"), (Words{"a", "\u00E9", "b\u200Bc"}));
}

TEST(Unicode, OnlyTheRightEndIsStripped) {
  EXPECT_EQ(strip_right("  a b \r\u3000\u2028\x1F"), "  a b");
  EXPECT_EQ(strip_right("a\u00E0"), "a\u00E0");  // its last byte, A0, would be white space by itself
  EXPECT_EQ(strip_right("\u00A0"), "");
  EXPECT_EQ(strip_right("a\u200B"), "a\u200B");
  EXPECT_EQ(strip_right("a\xA0"), "a\xA0");  // ill-formed, not white space
}

TEST(Unicode, ASigmaAtTheEndOfAWordIsFinal) {
  EXPECT_EQ(to_lower("ΟΔΥΣΣΕΥΣ ΣΑΣ. Σ"), "οδυσσευς σας. σ");
  EXPECT_EQ(to_lower("Σ\u00AD"), "σ\u00AD");
}

TEST(Unicode, LowerCaseMayBeLongerAndKnowsNoLocale) {
  EXPECT_EQ(to_lower("İI"), "i\u0307i");
  EXPECT_EQ(to_lower("ẞ𐐀Ǆ"), "ß𐐨ǆ");
  EXPECT_EQ(to_lower(std::string_view("A\0B", 3)), std::string_view("a\0b", 3));
}

TEST(Unicode, IllFormedPiecesBecomeReplacementCharacters) {
  EXPECT_EQ(decode("a\xFF\xE4\xBD\u4F60"), U"a\uFFFD\uFFFD\u4F60");
}

TEST(Unicode, CharactersAreEncodedAsTheyWereDecoded) {
  const std::string text = "a\u00E9\u3042\U0001F44D";
  EXPECT_EQ(encode(decode(text)), text);
  EXPECT_EQ(encode(U""), "");
}

TEST(Unicode, CharactersComeWithTheirBytes) {
  std::u32string characters;
  std::string bytes;
  for_each_character("a\u00E9\u3042\xFF!", [&](char32_t character, std::string_view own) {
    characters += character;
    bytes.append(own).append("|");
  });
  EXPECT_EQ(characters, U"a\u00E9\u3042\uFFFD!");
  EXPECT_EQ(bytes, "a|\u00E9|\u3042|\xFF|!|");
}

TEST(Unicode, ClassesFollowTheGeneralCategory) {
  for (const char32_t c : U".,!\u00AB\u3002\u2014"s) EXPECT_EQ(character_class(c), CharacterClass::kPunctuation);
  for (const char32_t c : U"$+\u20AC\u00B4\u2192\U0001F44D"s) EXPECT_EQ(character_class(c), CharacterClass::kSymbol);
  for (const char32_t c : U"0\u00BD\u0663\u2167"s) EXPECT_EQ(character_class(c), CharacterClass::kNumber);
  for (const char32_t c : U"a \u0301\u4F60\n"s) EXPECT_EQ(character_class(c), CharacterClass::kOther);
}

TEST(Unicode, BothEndsAreStripped) {
  EXPECT_EQ(strip("\u3000 a b\u00A0\n"), "a b");
  EXPECT_EQ(strip(" \u2003"), "");
  EXPECT_EQ(join_words(split_words("\t a \u3000b ")), "a b");
}

}  // namespace
}  // namespace ventris::metrics
