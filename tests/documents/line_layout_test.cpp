#include "documents/line_layout.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ventris::documents {
namespace {

/// `source` has its line ends as "|".
std::string laid_out(std::string source, const std::string& translation) {
  std::vector<size_t> ends;
  for (size_t at = source.find('|'); at != std::string::npos; at = source.find('|', at)) {
    ends.push_back(at);
    source[at] = ' ';
  }
  std::string text = lay_out_lines(source, ends, {translation, {}}).text;
  std::ranges::replace(text, '\n', '|');
  return text;
}

TEST(LineLayout, LinesHaveTheSharesOfTheSource) {
  EXPECT_EQ(laid_out("one two|three four", "eins zwei drei vier"), "eins zwei|drei vier");
  EXPECT_EQ(laid_out("one|two three four five", "eins zwei drei vier"), "eins|zwei drei vier");
  EXPECT_EQ(laid_out("one two three four|five", "eins zwei drei vier"), "eins zwei drei|vier");
  EXPECT_EQ(laid_out("a|b|c", "aa bb cc"), "aa|bb|cc");
}

TEST(LineLayout, ALineRatherEndsAfterPunctuation) {
  EXPECT_EQ(laid_out("abcdefghij|abcdefghij", "eins, zwei drei vier"), "eins, zwei|drei vier");
  EXPECT_EQ(laid_out("abcdefghij|abcdefghij", "ei, drei vier fuenf sechs"), "ei, drei vier|fuenf sechs");
  EXPECT_EQ(laid_out("abcdefghij|abcdefghij", "eins zwei, a drei vier"), "eins zwei,|a drei vier");
}

TEST(LineLayout, ASourceKeepsItsPlaces) {
  EXPECT_EQ(laid_out("a b|c, d e f g h|i", "a b c, d e f g h i"), "a b|c, d e f g h|i");
}

TEST(LineLayout, WithTooFewWordsTheLastLinesAreEmpty) {
  EXPECT_EQ(laid_out("one|two|three", "eins"), "eins||");
  EXPECT_EQ(laid_out("one|two|three", ""), "||");
  EXPECT_EQ(laid_out("one|two|three", "eins zwei"), "eins|zwei|");
}

TEST(LineLayout, EveryLineHasAWordIfThereAreEnough) {
  EXPECT_EQ(laid_out("a|b|very long line of words|c", "eins zwei drei vier"), "eins|zwei|drei|vier");
  EXPECT_EQ(laid_out("a very long line of words|b|c", "eins zwei drei"), "eins|zwei|drei");
}

TEST(LineLayout, WritingSystemsWithoutSpacesAreDividedBetweenCharacters) {
  const std::string text = "\u4F60\u597D\u4E16\u754C\uFF0C\u518D\u89C1\u3002";
  EXPECT_EQ(laid_out("Hello world,|goodbye.", text), "\u4F60\u597D\u4E16\u754C\uFF0C|\u518D\u89C1\u3002");
  EXPECT_EQ(laid_out("one|two", "Donaudampfschiff-Fahrt"), "Donaudampfschiff-Fahrt|") << "no word is divided";
}

TEST(LineLayout, LinksFollowTheWordsThatAreDivided) {
  const AlignedText divided = lay_out_lines("a b", {1}, {"\u4F60\u597D", {{0, 0}}});
  EXPECT_EQ(divided.text, "\u4F60\n\u597D");
  ASSERT_EQ(divided.links.size(), 2U);
  EXPECT_EQ(divided.links[1].target, 1);
  EXPECT_EQ(divided.links[1].source, 0);
}

TEST(LineLayout, DotsAtTheBeginningOfALineAreAPlace) {
  EXPECT_EQ(laid_out("We were in Paris,|...and went home.", "wE WERE IN pARIS, ...AND WENT HOME."),
            "wE WERE IN pARIS,|...AND WENT HOME.");
  EXPECT_EQ(laid_out("I like it and|... we went", "Ich mag es und ... wir gingen"), "Ich mag es und|... wir gingen");
  EXPECT_EQ(laid_out("one two|three ... four", "eins zwei drei ... vier"), "eins zwei|drei ... vier");
}

TEST(LineLayout, DotsOnBothSidesAreAPlace) {
  EXPECT_EQ(laid_out("you come back...|...at last", "du kommst... ...am Ende doch noch zu uns"),
            "du kommst...|...am Ende doch noch zu uns");
  EXPECT_EQ(laid_out("a b c d e f|g\u2026|\u2026h", "aa bb\u2026 \u2026hh ii jj kk ll"),
            "aa|bb\u2026|\u2026hh ii jj kk ll");
  EXPECT_EQ(laid_out("a...|...b|c d e f g h", "aa bb cc... ...dd ee"), "aa bb cc...|...dd|ee");
}

}  // namespace
}  // namespace ventris::documents
