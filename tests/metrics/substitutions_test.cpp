#include "metrics/substitutions.h"

#include <gtest/gtest.h>

namespace ventris::metrics {
namespace {

TEST(Substitutions, EveryOccurrenceIsReplacedFromLeftToRight) {
  std::string text = "aaa-aa";
  replace_all(text, "aa", "b");
  EXPECT_EQ(text, "ba-b");
}

TEST(Substitutions, EntitiesAreUnescapedOnce) {
  std::string text = "&amp;lt; &amp;quot; &lt;&gt; &apos;";
  unescape_entities(text);
  EXPECT_EQ(text, "< &quot; <> &apos;");
}

TEST(Substitutions, CharactersAreSetApartWhole) {
  EXPECT_EQ(set_apart("a\u3042b", [](char32_t c) { return c == 0x3042; }), "a \u3042 b");
}

TEST(Substitutions, AMatchedPairIsUsedUp) {
  const auto replaced = replace_pairs(
      std::string("xxx"), [](char a, char b) { return a == b; }, [](std::string& out, char, char) { out += "y"; });
  EXPECT_EQ(replaced, "yx");
}

TEST(Substitutions, StopsAndDashesFollowDigits) {
  EXPECT_EQ(split_stops_and_dashes("1.5 a.b 3-4 "), "1.5 a  .  b 3 - 4 ");
  EXPECT_EQ(split_ascii_punctuation("a/b's"), "a / b's");
}

}  // namespace
}  // namespace ventris::metrics
