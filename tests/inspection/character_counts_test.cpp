#include "inspection/character_counts.h"

#include <gtest/gtest.h>

namespace ventris::inspection {
namespace {

TEST(CharacterCounts, WordsAreWhatStandsBetweenWhiteSpace) {
  CharacterCounts counts;
  const TextLength plain = counts.add("  two dogs  play ");
  EXPECT_EQ(plain.characters, 17);
  EXPECT_EQ(plain.words, 3);
  EXPECT_EQ(counts.add("a\u3000b\u00a0c\td").words, 4);  // of any Unicode kind
  EXPECT_EQ(counts.add("").words, 0);
}

TEST(CharacterCounts, CharactersAreCountedNotBytes) {
  CharacterCounts counts;
  EXPECT_EQ(counts.add("Zürich").characters, 6);
  EXPECT_EQ(counts.add("\U0001F600").characters, 1);
}

TEST(CharacterCounts, ScriptsComeByFrequencyWithTheirCharacters) {
  CharacterCounts counts;
  counts.add("aab 1");
  counts.add("жжжжж");
  const auto scripts = counts.scripts(1);
  ASSERT_EQ(scripts.size(), 3U);
  EXPECT_EQ(scripts[0].script, "Cyrillic");
  EXPECT_EQ(scripts[0].count, 5);
  EXPECT_EQ(scripts[1].script, "Latin");
  EXPECT_EQ(scripts[1].count, 3);
  ASSERT_EQ(scripts[1].top.size(), 1U);
  EXPECT_EQ(scripts[1].top[0].character, U'a');
  EXPECT_EQ(scripts[1].top[0].count, 2);
  EXPECT_EQ(scripts[2].script, "Common");
}

TEST(CharacterCounts, ACharacterIsNamedByItsCode) {
  EXPECT_EQ(code_of(U'A'), "U+0041");
  EXPECT_EQ(code_of(0x1F600), "U+1F600");
  EXPECT_EQ(utf8_of(0x1F600), "\U0001F600");
}

}  // namespace
}  // namespace ventris::inspection
