#include "documents/word_pairs.h"

#include <gtest/gtest.h>

#include <string>

#include "support/upper_case_run.h"

namespace ventris::documents {
namespace {

/// Of the first two parts in braces.
bool touch(const std::string& text) {
  const size_t first = text.find('{'), second = text.find('{', first + 1);
  return touch_words_between(text, {first, text.find('}', first) + 1}, {second, text.find('}', second) + 1});
}

TEST(WordPairs, TouchWordsFromOutside) {
  for (const std::string text : {"a {b}the dogs{c} d", "{b}two{c}", "({b}the dogs!{c})"})
    EXPECT_TRUE(touch(text)) << text;
}

TEST(WordPairs, OthersAreApartOrPartsOfWords) {
  for (const std::string text : {"a{b}the dogs{c}", "{b}the dogs{c}d", "{b} the dogs{c}", "{b}the dogs {c}",
                                 "{b}s of{c}", "{b}{c}", "{b}the\ndogs{c}", "{b}\u662F\u597D{c}"}) {
    EXPECT_FALSE(touch(text)) << text;
  }
}

TEST(WordPairs, NoSpaceComesBetweenThemAndTheirWords) {
  for (const std::string begin : {"%s", "%1$s", "{a}", "%{open}"}) {
    const std::string end = begin == "%1$s" ? "%2$s" : begin;
    EXPECT_EQ(test::message_in_upper_case("Please " + begin + "click here" + end + " to go on."),
              "PLEASE " + begin + "CLICK HERE" + end + " TO GO ON.");
  }
}

TEST(WordPairs, AWrittenCharacterTouchesTheSameWords) {
  EXPECT_EQ(test::message_in_upper_case("See &nbsp;the dogs&nbsp;here."), "SEE &nbsp;THE DOGS&nbsp;HERE.");
}

}  // namespace
}  // namespace ventris::documents
