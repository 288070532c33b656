#include "documents/element_gaps.h"

#include <gtest/gtest.h>

#include <string>

#include "markup/markup.h"

namespace ventris::documents {
namespace {

/// The text of a block of HTML with "|" in its gaps.
std::string with_gaps(const std::string& block) {
  const markup::MarkedText text =
      markup::parse_markup("<p>x " + block + "</p>", markup::Markup::kHtml).blocks.front().text;
  std::string whole = text.text;
  const std::vector<size_t> gaps = element_gaps(text.text, text.marks);
  for (auto gap = gaps.rbegin(); gap != gaps.rend(); ++gap) whole.insert(*gap, "|");
  return whole.substr(2);
}

TEST(ElementGaps, AreBetweenNumbers) {
  EXPECT_EQ(with_gaps("<a href=\"/2024\">June 2024</a><span>12</span>"), "June 2024|12");
  EXPECT_EQ(with_gaps("<b>Size 10</b><em>30 left</em> and 5<small>99</small>"), "Size 10|30 left and 5|99");
  EXPECT_EQ(with_gaps("<b>10</b>30"), "10|30");
}

TEST(ElementGaps, AreBetweenWordsAndNumbersOfLabels) {
  EXPECT_EQ(with_gaps("Inbox<span class=\"badge\">4</span>"), "Inbox|4");
  EXPECT_EQ(with_gaps("10<span>kg</span>"), "10|kg");
  EXPECT_EQ(with_gaps("<b>$20</b><em>Sale</em>"), "$20|Sale");
  EXPECT_EQ(with_gaps("Cart<b class=\"badge\">2</b>"), "Cart|2");
  EXPECT_EQ(with_gaps("MP<b>3</b>"), "MP3");
  EXPECT_EQ(with_gaps("Windows<sup>Pro</sup>s"), "Windows|Pros");
}

TEST(ElementGaps, AreInFrontOfCapitalsOfOtherElements) {
  EXPECT_EQ(with_gaps("<b>Size</b><i>Colour</i>"), "Size|Colour");
  EXPECT_EQ(with_gaps("Title<span class=\"new\">New</span>"), "Title|New");
  EXPECT_EQ(with_gaps("Java<b>Script</b> and You<span>Tube</span>"), "JavaScript and YouTube");
  EXPECT_EQ(with_gaps("<b>un</b><i>do</i>"), "undo");
}

TEST(ElementGaps, AreBetweenOldAndNewWords) {
  EXPECT_EQ(with_gaps("the <del>seller</del><ins>buyer</ins> pays"), "the seller|buyer pays");
  EXPECT_EQ(with_gaps("the <s>old</s><b>new</b> price"), "the old|new price");
  EXPECT_EQ(with_gaps("dog<ins>s</ins> run"), "dogs run");
}

TEST(ElementGaps, AreAtIconsAndHiddenElements) {
  EXPECT_EQ(with_gaps("<i class=\"user\"></i>Jon<i class=\"clock\"></i>two"), "Jon|two");
  EXPECT_EQ(with_gaps("Docs<span class=\"visually-hidden\">opens</span>"), "Docs|opens");
  EXPECT_EQ(with_gaps("Docs<wbr>opens<!-- a -->x"), "Docsopensx");
}

TEST(ElementGaps, AreNotAtOtherMarks) {
  const std::vector<markup::Mark> marks{{1, markup::Mark::Kind::kClose, "</f>"},
                                        {1, markup::Mark::Kind::kOpen, "<f2>"}};
  EXPECT_TRUE(element_gaps("12", marks).empty()) << "of an office document";
  EXPECT_TRUE(element_gaps("12", {{1, markup::Mark::Kind::kOpen, "**"}}).empty());
  EXPECT_EQ(element_gaps("12", {{1, markup::Mark::Kind::kClose, "</1>"}, {1, markup::Mark::Kind::kOpen, "<2>"}}).size(),
            1U);
  EXPECT_TRUE(
      element_gaps("1", {{0, markup::Mark::Kind::kOpen, "<b>"}, {1, markup::Mark::Kind::kClose, "</b>"}}).empty());
}

}  // namespace
}  // namespace ventris::documents
