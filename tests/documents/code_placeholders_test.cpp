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

TEST(CodePlaceholders, TagsOfAngularAroundCodeAndIconsHaveTheirWords) {
  const std::string icon = "{$START_TAG_MAT_ICON_1}home{$CLOSE_TAG_MAT_ICON}";
  EXPECT_EQ(end_of_angular_code(icon + " a", 0), icon.size());
  for (const std::string none : {"{$START_LINK}a{$CLOSE_LINK}", "{$START_TAG_CODE}a", "{$START_TAG_CODE", "{a}"}) {
    EXPECT_EQ(end_of_angular_code(none, 0), 0U) << none;
  }
}

}  // namespace
}  // namespace ventris::documents
