#include "modifiers/typos.h"

#include <gtest/gtest.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <sstream>
#include <vector>

#include "core/utf8.h"

namespace ventris::modifiers {
namespace {

std::string typed(std::string_view text, uint64_t seed, double words = 0.3) {
  Draws draws(seed);
  return with_typos(text, words, draws);
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

bool is_valid(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const core::Utf8Unit unit = core::utf8_unit_at(text, at);
    if (!unit.valid) return false;
    at += unit.length;
  }
  return true;
}

TEST(Typos, OneOfEachKindIsMade) {
  std::set<std::string> found;
  for (uint64_t seed = 0; seed < 400; ++seed) found.insert(typed("ab", seed));
  for (const char* kind : {"ba", "a", "b", "aab", "abb", "sb", "qb", "av", "an"}) EXPECT_TRUE(found.contains(kind));
  EXPECT_TRUE(found.contains("yb"));   // left of a on neither row, but y is below a on QWERTZ
  EXPECT_FALSE(found.contains("pb"));  // far away
  EXPECT_FALSE(found.contains("ab"));
}

TEST(Typos, CapitalsStayCapitals) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const std::string text = typed("HELLO", seed);
    EXPECT_TRUE(std::ranges::all_of(text, [](char c) { return c >= 'A' && c <= 'Z'; })) << text;
  }
}

TEST(Typos, AtLeastOneWordGetsOne) {
  for (uint64_t seed = 0; seed < 100; ++seed) EXPECT_NE(typed("a tiny text", seed, 1e-9), "a tiny text");
}

TEST(Typos, TheShareOfTheWordsIsKept) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "word ";
  const auto words = words_of(typed(text, 3, 0.1));
  ASSERT_EQ(words.size(), 20000U);
  const auto changed = std::ranges::count_if(words, [](const std::string& word) { return word != "word"; });
  EXPECT_NEAR(static_cast<double>(changed), 2000, 5 * std::sqrt(20000 * 0.1 * 0.9));
}

TEST(Typos, NumbersAndPunctuationNeverChange) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const std::string text = typed("Pay 12,345.67 (net) now!", seed, 1);
    EXPECT_NE(text.find(" 12,345.67 ("), std::string::npos) << text;
    EXPECT_EQ(text.back(), '!');
  }
}

TEST(Typos, TextWithoutWordsStaysAsItIs) {
  for (const char* text : {"", " ", "3.5 %", "a b c", "😀 👍🏽", "…"}) EXPECT_EQ(typed(text, 1, 1), text);
}

TEST(Typos, MarksStayWithTheirLetters) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const std::string text = typed("e\u0301t", seed, 1);
    const size_t mark = text.find("\u0301");
    if (mark != std::string::npos) {
      EXPECT_EQ(text[mark - 1], 'e') << text;
    }
    for (const char* any : {"नमस्ते दुनिया", "สวัสดีชาวโลก", "你好世界", "שָׁלוֹם", "مرحبًا", "Straße"}) {
      const std::string other = typed(any, seed, 1);
      EXPECT_TRUE(is_valid(other));
      EXPECT_NE(other, any);
      EXPECT_FALSE(other.empty());
    }
  }
}

}  // namespace
}  // namespace ventris::modifiers
