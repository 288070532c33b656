#include "markup/block_builder.h"

#include <gtest/gtest.h>

#include "support/errors.h"

namespace ventris::markup {
namespace {

using Kind = Mark::Kind;

std::string written_again(const MarkedDocument& document) {
  std::string text;
  for (const Block& block : document.blocks) text += block.before + block.text.raw({0, block.text.text.size()});
  return text + document.after;
}

TEST(IsOnlySign, PowersAndSignsOfNotesAndReferencesAreNoWords) {
  for (const std::string text : {"2", "[3]", "-1", "\u0663"}) EXPECT_TRUE(is_only_sign("sup", text)) << text;
  for (const std::string text : {"#83", "[1]", "(2)", "\u00a75"}) EXPECT_TRUE(is_only_sign("a", text)) << text;
  for (const std::string text : {"*", "\u2020", "\u2122", "\u00ae"}) EXPECT_TRUE(is_only_sign("sup", text)) << text;
  for (const std::string text : {"*", "\u2191", "...", "\u00bb"}) EXPECT_TRUE(is_only_sign("a", text)) << text;
  for (const std::string text : {"", " ", "\u00a0", "\u200b", "st", "2nd", "\xff"}) {
    EXPECT_FALSE(is_only_sign("sup", text)) << text;
    EXPECT_FALSE(is_only_sign("a", text)) << text;
  }
  for (const std::string text : {"[b]", "[note 1]", "[citation needed]"})
    EXPECT_TRUE(is_only_sign("sup", text)) << text;
  for (const std::string text : {"a", "b", "a,b", "c, d"}) EXPECT_TRUE(is_only_sign("sup", text)) << text;
  for (const std::string text : {"max", "in"}) EXPECT_TRUE(is_only_sign("sub", text)) << text;
  EXPECT_FALSE(is_only_sign("moved", "a")) << "only higher";
  EXPECT_TRUE(is_only_sign("moved", "2"));
  for (const std::string text : {"e", "o", "ab", "a b", "\u6CE8"}) EXPECT_FALSE(is_only_sign("sup", text)) << text;
  for (const std::string text : {"2", "i", "i1", "*"}) EXPECT_TRUE(is_only_sign("sub", text)) << text;
  for (const std::string text : {"ja", "I", "\u56FE"}) EXPECT_FALSE(is_only_sign("sub", text)) << text;
  for (const std::string text : {"", " ", "a b", "Photo", "\xff"}) EXPECT_FALSE(is_only_sign("sub", text)) << text;
  for (const std::string text : {"2019", "1,000.5", "50%", "#a1"}) EXPECT_FALSE(is_only_sign("a", text)) << text;
  for (const std::string text :
       {"1\u00a0000", "1\u202f000", "2019\u20132020", "5\u00a0\u20ac", "$5", "\u00a35.50", "5\u2030", "\u22125",
        "20\u00b0", "1\u2019000", "3\u00d74", "5\u00bd", "\u200e5", "\u0663\u066b\u0665"}) {
    EXPECT_FALSE(is_only_sign("a", text)) << text;
    EXPECT_TRUE(is_only_sign("sup", text)) << text;
  }
  for (const std::string text : {"\u2191\u00a01", "[1\u20133]", "1*", "\u20201", "#1\u20132", "\u00b61"}) {
    EXPECT_TRUE(is_only_sign("a", text)) << text;
  }
  EXPECT_FALSE(is_only_sign("b", "#83"));
  EXPECT_TRUE(is_only_sign("a", "3fa4c1d"));
  for (const std::string text : {"1234567", "defaced", "3fa4c1", "3FA4C1D"})
    EXPECT_FALSE(is_only_sign("a", text)) << text;
}

TEST(IsOnlySign, ACapitalAndTradeMarksAreNoWords) {
  for (const std::string text : {"T", "TM", "SM", "MC"}) EXPECT_TRUE(is_only_sign("sup", text)) << text;
  for (const std::string text : {"EU", "Tm"}) EXPECT_FALSE(is_only_sign("sup", text)) << text;
}

TEST(IsIndex, WhatIsRaisedOrLoweredBehindALetterIsOne) {
  for (const std::string text : {"ij", "i,j", "i, j", "M", "cat", "train", "t+1"}) {
    EXPECT_TRUE(is_index(true, "the x", text)) << text;
  }
  for (const std::string text : {"2n", "T", "b+c", "-1/2"}) EXPECT_TRUE(is_index(false, "an A", text)) << text;
  EXPECT_TRUE(is_index(false, "2", "n+1"));
  EXPECT_TRUE(is_index(true, "\u03b2", "ij"));
  EXPECT_TRUE(is_index(true, "Cl", "aq"));
}

TEST(IsIndex, WordsAndEndsOfWordsAreNone) {
  EXPECT_FALSE(is_index(false, "20", "th"));
  EXPECT_FALSE(is_index(false, "M", "lle"));
  EXPECT_FALSE(is_index(false, "XIX", "e"));
  EXPECT_FALSE(is_index(true, "x", "two words"));
  EXPECT_FALSE(is_index(true, "x", "averylongindex"));
  EXPECT_FALSE(is_index(true, "x ", "i")) << "does not touch";
  EXPECT_FALSE(is_index(true, "", "ij"));
  EXPECT_FALSE(is_index(true, "some", "thing"));
  EXPECT_FALSE(is_index(true, "USA", "East"));
  for (const std::string text : {"er.", "nd,", "th."}) EXPECT_FALSE(is_index(false, "5", text)) << text;
  EXPECT_FALSE(is_index(true, "x", ""));
}

TEST(EndsWord, LettersBehindANumberOrWordDo) {
  for (const auto& [before, text] : std::vector<std::pair<std::string, std::string>>{
           {"the 20", "th"}, {"M", "lle"}, {"XIX", "e"}, {"1", "\u00e8re"}}) {
    EXPECT_TRUE(ends_word(before, text)) << before << text;
  }
  for (const auto& [before, text] : std::vector<std::pair<std::string, std::string>>{{"the ", "th"},
                                                                                     {"20", ""},
                                                                                     {"20", "2"},
                                                                                     {"20", "longer"},
                                                                                     {"Windows", "Pro"},
                                                                                     {"Menu", "beta"},
                                                                                     {"", "th"},
                                                                                     {"20", "t h"}}) {
    EXPECT_FALSE(ends_word(before, text)) << before << text;
  }
}

TEST(BlockBuilder, WhatIsKeptDividesTheText) {
  BlockBuilder builder;
  builder.add_kept("<p>");
  builder.add_text("one &amp; ", "one & ");
  builder.add_object("<img>");
  builder.add_kept("</p><p>");
  builder.add_text("two", "two");
  builder.add_kept("</p>");
  const MarkedDocument document = builder.finish();
  ASSERT_EQ(document.blocks.size(), 2U);
  EXPECT_EQ(document.blocks[0].before, "<p>");
  EXPECT_EQ(document.blocks[0].text.text, "one & \uFFFC");
  EXPECT_EQ(document.blocks[1].before, "</p><p>");
  EXPECT_EQ(document.after, "</p>");
  EXPECT_EQ(document.blocks[1].range.begin, 25U) << "in the document, with entities as they are written";
  EXPECT_EQ(document.blocks[1].range.end, 28U);
}

TEST(BlockBuilder, ABlockWithoutLettersIsKeptAsItIsWritten) {
  BlockBuilder builder;
  builder.add_mark("<b>", {0, Kind::kOpen, "<b>"});
  builder.add_text(" &gt; ", " > ");
  builder.add_object("<img>");
  builder.add_mark("</b>", {0, Kind::kClose, "</b>"});
  builder.add_kept("<hr>");
  builder.add_text("one", "one");
  const MarkedDocument document = builder.finish();
  ASSERT_EQ(document.blocks.size(), 1U);
  EXPECT_EQ(document.blocks[0].before, "<b> &gt; <img></b><hr>");
  EXPECT_TRUE(document.blocks[0].text.marks.empty());
}

TEST(BlockBuilder, ABlockHasTheLineOfItsFirstLetters) {
  BlockBuilder builder;
  builder.add_text("\n\n", "\n\n");
  builder.add_text("one\ntwo", "one\ntwo");
  builder.add_kept("\n<p>");
  builder.add_text("three", "three");
  EXPECT_EQ(builder.line(), 5);
  builder.add_kept("<p>");
  builder.set_line(40);  // lines that are not in what was added
  builder.add_text("four", "four");
  const auto blocks = builder.finish().blocks;
  ASSERT_EQ(blocks.size(), 3U);
  EXPECT_EQ(blocks[0].line, 3);
  EXPECT_EQ(blocks[1].line, 5);
  EXPECT_EQ(blocks[2].line, 40);
}

TEST(BlockBuilder, DepthIsCountedAcrossBlocksAndNeverBelowNothing) {
  BlockBuilder builder;
  for (int i = 0; i < 5; ++i) builder.add_mark("</b>", {0, Kind::kClose, "</b>"});
  for (int64_t i = 0; i < kDeepestNesting; ++i) builder.add_mark("<b>", {0, Kind::kOpen, "<b>"});
  builder.add_mark("<br>", {0, Kind::kAlone, "<br>"});
  builder.add_kept("\n\n");
  EXPECT_FAILS(builder.add_mark("<b>", {0, Kind::kOpen, "<b>"}), MarkupError, "line 3: tags are nested deeper");
}

TEST(InBlocks, WhatIsBetweenThePartsIsKeptAndEditsAreApplied) {
  const std::string document = "<p lang=en>one<b title=x>two</b>three</p>";
  Edits edits;
  edits.add({8, 10}, "de");
  edits.add({23, 24}, "y");
  const std::vector<Part> parts{{{11, 14}, Part::Kind::kText, Kind::kAlone, "one"},
                                {{14, 25}, Part::Kind::kMark, Kind::kOpen},
                                {{25, 28}, Part::Kind::kText, Kind::kAlone, "two"},
                                {{28, 32}, Part::Kind::kMark, Kind::kClose},
                                {{32, 37}, Part::Kind::kText, Kind::kAlone, "three"}};
  const MarkedDocument read = in_blocks(document, parts, edits);
  EXPECT_EQ(written_again(read), "<p lang=de>one<b title=y>two</b>three</p>");
  ASSERT_EQ(read.blocks.size(), 1U);
  EXPECT_EQ(read.blocks[0].text.marks[0].raw, "<b title=y>");
  EXPECT_EQ(read.blocks[0].text.marks[1].at, 6U);
}

TEST(InBlocks, AMarkMayBeWrittenInAnotherWay) {
  const std::vector<Part> parts{{{0, 1}, Part::Kind::kMark, Kind::kOpen},
                                {{1, 4}, Part::Kind::kText, Kind::kAlone, "one"},
                                {{4, 5}, Part::Kind::kMark, Kind::kClose, "][one]", false, 7, 0}};
  const auto blocks = in_blocks("[one]", parts).blocks;
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_EQ(blocks[0].text.raw({0, 3}), "[one][one]");
  EXPECT_EQ(blocks[0].text.marks[1].link, 7U);
}

}  // namespace
}  // namespace ventris::markup
