#include "markup/markdown_labels.h"

#include <gtest/gtest.h>

namespace ventris::markup {
namespace {

TEST(MarkdownLabels, OfQuotationsAreAWordInBracketsBehindAnExclamationMark) {
  EXPECT_EQ(size_of_label("[!NOTE] a"), 7U);
  EXPECT_EQ(size_of_label("[!tip]- a"), 7U);
  EXPECT_EQ(size_of_label("[NOTE]"), 0U);
  EXPECT_EQ(size_of_label("[!]"), 0U);
  EXPECT_EQ(size_of_label("[!a b]"), 0U);
}

/// The document's first six bytes are "**a**" and what follows.
std::vector<Part> strong_parts() {
  return {{{0, 2}, Part::Kind::kMark, Mark::Kind::kOpen},
          {{2, 3}, Part::Kind::kText},
          {{3, 5}, Part::Kind::kMark, Mark::Kind::kClose}};
}

TEST(MarkdownLabels, ATitleIsAllOfTheBlockSoFarAndACapitalFollows) {
  EXPECT_TRUE(ends_title("**a**\nB", strong_parts(), 6));
  EXPECT_FALSE(ends_title("**a**\nb", strong_parts(), 6));
  EXPECT_FALSE(ends_title("~~a~~\nB", strong_parts(), 6));
  EXPECT_FALSE(ends_title("B", {}, 0));
}

TEST(MarkdownLabels, AColonOrDashSeparatesALabel) {
  EXPECT_EQ(size_of_separator("**a**: b", strong_parts(), ": b"), 2U);
  EXPECT_EQ(size_of_separator("**a** - b", strong_parts(), " - b"), 3U);
  EXPECT_EQ(size_of_separator("**a**, b", strong_parts(), ", b"), 0U);
  EXPECT_EQ(size_of_separator(": b", {}, ": b"), 0U);
}

TEST(MarkdownLabels, MarksOfTasksMayBeOtherSigns) {
  EXPECT_EQ(size_of_task("- ", "[/] a"), 4U);
  EXPECT_EQ(size_of_task(">  1. ", "[>] a"), 4U);
  for (const auto& [before, text] :
       {std::pair("", "[/] a"), {"- ", "[x] a"}, {"- ", "[/]a"}, {"- a ", "[/] a"}, {"- ", "[/] "}}) {
    EXPECT_EQ(size_of_task(before, text), 0U) << text;
  }
}

}  // namespace
}  // namespace ventris::markup
