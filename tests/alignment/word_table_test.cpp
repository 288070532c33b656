#include "alignment/word_table.h"

#include <gtest/gtest.h>

namespace ventris::alignment {
namespace {

TEST(WordTable, CaseMakesNoDifference) {
  WordTable words(4);
  EXPECT_EQ(words.add("Haus"), 0);
  EXPECT_EQ(words.add("baum"), 1);
  EXPECT_EQ(words.add("HAUS"), 0);
  EXPECT_EQ(words.add("haus"), 0);
  EXPECT_EQ(words.size(), 2);
  EXPECT_EQ(words[0].text, "haus");
  EXPECT_EQ(words[0].count, 3);
  EXPECT_EQ(words.tokens(), 4);
}

TEST(WordTable, ClassesHaveTheSameFirstCharacters) {
  WordTable words(3);
  const int32_t first = words.add("h\u00e4user"), second = words.add("h\u00e4uschen"), other = words.add("h\u00e4");
  EXPECT_EQ(words[first].prefix, words[second].prefix);
  EXPECT_NE(words[first].prefix, words[other].prefix);
  EXPECT_EQ(words.class_count(first), 2);
  EXPECT_EQ(words.classes(), 2);
}

TEST(WordTable, WithoutAPrefixEachWordIsAClass) {
  WordTable words(0);
  words.add("houses");
  words.add("house");
  EXPECT_EQ(words.classes(), 2);
}

TEST(WordTable, WordsThatAreNotCountedGetNumbers) {
  WordTable words(4);
  EXPECT_EQ(words.add("new", 0), 0);
  EXPECT_EQ(words[0].count, 0);
  EXPECT_EQ(words.tokens(), 0);
}

TEST(WordTable, KindsOfWords) {
  WordTable words(4);
  const auto kind = [&](const char* word) { return words[words.add(word)].kind; };
  EXPECT_EQ(kind("x9"), WordKind::kWord);
  EXPECT_EQ(kind("1.5"), WordKind::kNumber);
  EXPECT_EQ(kind("\u0664"), WordKind::kNumber);
  EXPECT_EQ(kind("\u3002"), WordKind::kSign);
  EXPECT_EQ(kind("我"), WordKind::kWord);
}

}  // namespace
}  // namespace ventris::alignment
