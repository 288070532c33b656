#include "documents/code_placeholders.h"

#include <gtest/gtest.h>

#include <string>

namespace ventris::documents {
namespace {

/// The code with which the text begins, by its first tag.
std::string element(const std::string& text) {
  return text.substr(0, end_of_code_element(text, {0, text.find('>') + 1}));
}

TEST(CodePlaceholders, AnElementOfCodeEndsWithItsEndTag) {
  EXPECT_EQ(element("<code>a <b>b</b></code> c"), "<code>a <b>b</b></code>");
  EXPECT_EQ(element("<my-b translate=\"no\">a</my-b>"), "<my-b translate=\"no\">a</my-b>");
  for (const std::string none : {"<b>a</b>", "<code/>a</code>", "<code>a", "<code>a<code>b</code></code>"}) {
    EXPECT_EQ(element(none), "") << none;
  }
}

TEST(CodePlaceholders, AnElementOfAManualIsCodeByItsNameAndContent) {
  EXPECT_EQ(element("<command>ls <option>-a</option></command> b"), "<command>ls <option>-a</option></command>");
  EXPECT_EQ(element("<file>a.txt</file> b"), "<file>a.txt</file>");
  EXPECT_EQ(element("<option>-a</option>"), "<option>-a</option>");
  for (const std::string none : {"<file>your file</file>", "<option>Red</option>", "<command>a", "<File>a</File>"}) {
    EXPECT_EQ(element(none), "") << none;
  }
}

TEST(CodePlaceholders, AnElementIsLookedForInTheNearestThousandBytes) {
  EXPECT_NE(element("<code>" + std::string(900, 'a') + "</code>"), "");
  EXPECT_EQ(element("<code>" + std::string(1001, 'a') + "</code>"), "");
}

TEST(CodePlaceholders, BackticksEndWithAsManyAsTheyBeginWith) {
  EXPECT_EQ(end_of_backticks("`a` b`", 0), 3U);
  EXPECT_EQ(end_of_backticks("``a`b``", 0), 7U);
  EXPECT_EQ(end_of_backticks("``a`b``", 1), 0U) << "inside of a run";
  EXPECT_EQ(end_of_backticks("`a``", 0), 0U);
}

TEST(CodePlaceholders, ACodeOfWordPressHasAttributesOrEnds) {
  EXPECT_EQ(end_of_shortcode("[a-b c=\"d\"] e", 0), 11U);
  EXPECT_EQ(end_of_shortcode("[/caption]", 0), 10U);
  EXPECT_EQ(end_of_shortcode("[caption]", 0), 0U);
  EXPECT_EQ(end_of_shortcode("[caption id=\"1\"", 0), 0U);
}

TEST(CodePlaceholders, ACodeInBracketsBeginsIfItsEndIsInTheText) {
  const std::string text = "[b] [b=x y] [bc] [b](c) [b [/b]";
  const BracketCodes codes(text);
  EXPECT_EQ(codes.end_of_start(text, 0), 3U);
  EXPECT_EQ(codes.end_of_start(text, 4), 11U);
  for (const std::string none : {"[bc]", "[b](c)", "[b [/b]"}) EXPECT_EQ(codes.end_of_start(text, text.find(none)), 0U);
  EXPECT_EQ(BracketCodes("[b]").end_of_start("[b]", 0), 0U);
  EXPECT_EQ(BracketCodes("[a cat] [/a]").end_of_start("[a cat] [/a]", 0), 0U) << "no attributes";
  EXPECT_EQ(BracketCodes("[B]a[/B]").end_of_start("[B]a[/B]", 0), 3U);
}

TEST(CodePlaceholders, TagsOfAngularAroundCodeAndIconsHaveTheirWords) {
  const std::string icon = "{$START_TAG_MAT_ICON_1}home{$CLOSE_TAG_MAT_ICON}";
  EXPECT_EQ(end_of_angular_code(icon + " a", 0), icon.size());
  for (const std::string none : {"{$START_LINK}a{$CLOSE_LINK}", "{$START_TAG_CODE}a", "{$START_TAG_CODE", "{a}"}) {
    EXPECT_EQ(end_of_angular_code(none, 0), 0U) << none;
  }
}

TEST(CodePlaceholders, ShortcodesOfAPageStandWithTheirEnds) {
  using Strings = std::vector<std::string>;
  const auto shortcodes = [](const std::string& text, const std::string& page) {
    std::vector<std::string> found;
    for (const text::ByteRange& range : shortcodes_in(text, BracketCodes(page))) {
      found.push_back(text.substr(range.begin, range.end - range.begin));
    }
    return found;
  };
  EXPECT_EQ(shortcodes("[embed]a[/embed]", "[embed]a[/embed]"), (Strings{"[embed]", "[/embed]"}));
  EXPECT_EQ(shortcodes("[note] a", "b [/note]"), Strings{"[note]"}) << "the end is in another text";
  EXPECT_EQ(shortcodes("[vc_row][vc_column width=\"1/2\"]a", ""), (Strings{"[vc_row]", "[vc_column width=\"1/2\"]"}));
  EXPECT_EQ(shortcodes("[gallery]", ""), Strings{"[gallery]"});
  EXPECT_EQ(shortcodes("a [products limit='4'] [posts num=5] [field type='name' /]", ""),
            (Strings{"[products limit='4']", "[posts num=5]", "[field type='name' /]"}));
  EXPECT_EQ(shortcodes("see [gallery] [optional] and/or [b]c[/b] [or] [/or] [see a=b c]", "[/or]"), Strings{});
}

}  // namespace
}  // namespace ventris::documents
