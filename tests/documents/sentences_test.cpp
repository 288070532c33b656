#include "documents/sentences.h"

#include <gtest/gtest.h>

namespace ventris::documents {
namespace {

using Texts = std::vector<std::string>;

Texts texts(const std::string& text, const std::vector<ByteRange>& ranges) {
  Texts all;
  for (const ByteRange& range : ranges) all.push_back(text.substr(range.begin, range.end - range.begin));
  return all;
}

Texts split(const std::string& text, const std::string& language = "en") {
  return texts(text, SentenceSplitter(language).split(text));
}

Texts cut(const std::string& text, size_t most) {
  return texts(text,
               cut_at_clauses(text, {0, text.size()}, [&](std::string_view part) { return part.size() <= most; }));
}

TEST(SentenceSplitter, FindsSentencesWithoutTheSpaceAroundThem) {
  EXPECT_EQ(split("  What does this car cost?   Where is the station? "),
            (Texts{"What does this car cost?", "Where is the station?"}));
  EXPECT_EQ(split("One"), Texts{"One"});
  EXPECT_EQ(split(" \t\u00a0"), Texts{});
  EXPECT_EQ(split(""), Texts{});
}

TEST(SentenceSplitter, AbbreviationsInitialsAndNumbersEndNoSentence) {
  EXPECT_EQ(split("Mr. Smith met J. R. Jones. He paid 3.50 euros."),
            (Texts{"Mr. Smith met J. R. Jones.", "He paid 3.50 euros."}));
  EXPECT_EQ(split("Am 3. Oktober kam z. B. Anna. Er ging.", "de"),
            (Texts{"Am 3. Oktober kam z. B. Anna.", "Er ging."}));
  EXPECT_EQ(split("He met Mr."), Texts{"He met Mr."});
}

TEST(SentenceSplitter, SentencesMayFollowEachOtherWithoutASpace) {
  EXPECT_EQ(split("\u4f60\u597d\u3002\u518d\u89c1\uff01", "zh"), (Texts{"\u4f60\u597d\u3002", "\u518d\u89c1\uff01"}));
}

TEST(CutAtClauses, WhatFitsStaysWhole) { EXPECT_EQ(cut("one, two", 8), Texts{"one, two"}); }

TEST(CutAtClauses, PunctuationIsBetterThanSpaceAndTheMiddleBetterThanTheEnds) {
  EXPECT_EQ(cut("a, one two three four, five six seven", 36), (Texts{"a, one two three four,", "five six seven"}));
  EXPECT_EQ(cut("one two three", 8), (Texts{"one two", "three"}));
}

TEST(CutAtClauses, AWordThatIsTooLongIsCutBetweenCharacters) {
  EXPECT_EQ(cut("\u00e4\u00e4\u00e4\u00e4", 4), (Texts{"\u00e4\u00e4", "\u00e4\u00e4"}));
  EXPECT_EQ(cut("\u00e4", 1), Texts{"\u00e4"});
}

TEST(CutAtClauses, ANumberIsNoClause) { EXPECT_EQ(cut("one 1,000,000", 12), (Texts{"one", "1,000,000"})); }

}  // namespace
}  // namespace ventris::documents
