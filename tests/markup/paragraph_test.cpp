#include "markup/paragraph.h"

#include <gtest/gtest.h>

namespace ventris::markup {
namespace {

TEST(Paragraph, CodeIsBetweenAsManyBackticks) {
  const Paragraph paragraph("a `b` ``c ` d`` e");
  EXPECT_EQ(paragraph.end_of_code(2), 5U);
  EXPECT_EQ(paragraph.end_of_code(3), kNoEnd);
  EXPECT_EQ(paragraph.end_of_code(6), 15U);
  EXPECT_TRUE(paragraph.has_code(0, 3));
  EXPECT_FALSE(paragraph.has_code(0, 2));
  EXPECT_FALSE(paragraph.has_code(15, 17));
  EXPECT_TRUE(paragraph.left_over_backticks().empty());
}

TEST(Paragraph, BackticksWithoutPartnersAreLeftOver) {
  const Paragraph paragraph("a `` b ` c ```d");
  ASSERT_EQ(paragraph.left_over_backticks().size(), 2U) << "three may begin a block of code";
  EXPECT_EQ(paragraph.left_over_backticks()[0].begin, 2U);
  EXPECT_EQ(paragraph.left_over_backticks()[0].end, 4U);
  EXPECT_EQ(paragraph.left_over_backticks()[1].begin, 7U);
}

TEST(Paragraph, AnEscapedBacktickBeginsNoCodeButEndsIt) {
  EXPECT_EQ(Paragraph("\\`a` b`").end_of_code(1), kNoEnd);
  EXPECT_EQ(Paragraph("`a\\`").end_of_code(0), 4U);
}

TEST(Paragraph, SignsAreFoundFromAnyPlace) {
  Paragraph paragraph("a$b$c\nd");
  EXPECT_EQ(paragraph.next_of("$", 0), 1U);
  EXPECT_EQ(paragraph.next_of("$", 1), 1U);
  EXPECT_EQ(paragraph.next_of("$", 2), 3U);
  EXPECT_EQ(paragraph.next_of("$", 0), 1U) << "an earlier place again";
  EXPECT_EQ(paragraph.next_of("$", 4), 7U) << "none: the end";
  EXPECT_EQ(paragraph.end_of_line(0), 5U);
}

TEST(Paragraph, BehindTheEndIsALineFeed) {
  const Paragraph paragraph("a1\u00E9");
  EXPECT_EQ(paragraph.character(4), '\n');
  EXPECT_TRUE(paragraph.word_before(1));
  EXPECT_TRUE(paragraph.word_before(2));
  EXPECT_FALSE(paragraph.word_before(4)) << "only ASCII";
  EXPECT_FALSE(paragraph.word_before(0));
}

TEST(Paragraph, CodeIsCutWhereItReachesOverAnEnd) {
  const Paragraph paragraph("a `b` c `d` e");
  EXPECT_FALSE(paragraph.cuts_code(0, 13));
  EXPECT_FALSE(paragraph.cuts_code(2, 5));
  EXPECT_FALSE(paragraph.cuts_code(5, 8));
  EXPECT_TRUE(paragraph.cuts_code(3, 13));
  EXPECT_TRUE(paragraph.cuts_code(0, 10));
  EXPECT_TRUE(paragraph.cuts_code(3, 4));
}

}  // namespace
}  // namespace ventris::markup
