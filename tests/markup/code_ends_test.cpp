#include "markup/code_ends.h"

#include <gtest/gtest.h>

namespace ventris::markup {
namespace {

using ElementNames = std::vector<std::string_view>;

TEST(CodeEnds, FormattingGoesOnBehindBlocksButNotBehindCells) {
  for (const char* code : {"code", "tt"}) {
    EXPECT_TRUE(is_formatting_code(code));
    for (const char* element : {"p", "div", "li", "body", "b"}) EXPECT_FALSE(ends_with(code, element)) << element;
    for (const char* element : {"td", "th", "table", "caption", "object"}) EXPECT_TRUE(ends_with(code, element));
  }
  EXPECT_FALSE(is_formatting_code("pre"));
  EXPECT_FALSE(is_formatting_code("kbd"));
}

TEST(CodeEnds, PreEndsWithBlocksAroundItButNotWithAParagraph) {
  for (const char* element : {"div", "li", "td", "body", "h3", "blockquote"}) {
    EXPECT_TRUE(ends_with("pre", element)) << element;
  }
  for (const char* element : {"p", "b", "span", "a"}) EXPECT_FALSE(ends_with("pre", element)) << element;
}

TEST(CodeEnds, OtherCodeEndsWithAnyElementAroundIt) {
  for (const char* code : {"kbd", "samp", "var", "svg", "math"}) {
    for (const char* element : {"p", "b", "div", "td"}) EXPECT_TRUE(ends_with(code, element)) << code << element;
  }
}

TEST(CodeEnds, WhatABrowserDoesNotReadNeverEnds) {
  for (const char* code : {"template", "noscript"}) {
    EXPECT_FALSE(ends_with(code, "div"));
    EXPECT_FALSE(ends_with(code, "body"));
    EXPECT_FALSE(ends_at_start_tag(code, "td"));
  }
}

TEST(CodeEnds, AStartTagEndsWhatCannotContainIt) {
  EXPECT_EQ(ended_by_start_tag("div"), ElementNames{"p"});
  EXPECT_EQ(ended_by_start_tag("li"), (ElementNames{"p", "li"}));
  EXPECT_EQ(ended_by_start_tag("dt"), (ElementNames{"p", "dd", "dt"}));
  EXPECT_EQ(ended_by_start_tag("tr"), (ElementNames{"td", "th", "caption"}));
  EXPECT_EQ(ended_by_start_tag("b"), ElementNames{});
  EXPECT_TRUE(ends_at_start_tag("kbd", "p"));
  EXPECT_TRUE(ends_at_start_tag("kbd", "li"));
  EXPECT_FALSE(ends_at_start_tag("pre", "li")) << "<li> inside <pre> does not reach the list around it";
  EXPECT_FALSE(ends_at_start_tag("code", "p"));
  EXPECT_TRUE(ends_at_start_tag("pre", "td"));
  EXPECT_TRUE(ends_at_start_tag("code", "td"));
}

}  // namespace
}  // namespace ventris::markup
