#include "markup/code_in_html_text.h"

#include <gtest/gtest.h>

#include <string>

namespace ventris::markup {
namespace {

using Codes = std::vector<std::string>;

/// The code in a text; what stands for a part of it, with "=" before.
Codes code_in(const std::string& text) {
  CodeInHtmlText finder(text);
  Codes found;
  for (const TextCode& code : finder.find({0, text.size()})) {
    found.push_back((code.statement ? "" : "=") + text.substr(code.range.begin, code.range.end - code.range.begin));
  }
  return found;
}

TEST(CodeInHtmlText, BlocksOfAngularBeginAndEndWithBraces) {
  EXPECT_EQ(code_in("@if (a.b(c) && d == ')') {one} @else if (e; as f) {two} @else {\nthree\n}"),
            (Codes{"@if (a.b(c) && d == ')') {", "}", "@else if (e; as f) {", "}", "@else {", "}"}));
  EXPECT_EQ(code_in("@for (a of b; track a.id) {x}@empty{y} @switch (m) { @case (\"e\") {z} @default {w} }"),
            (Codes{"@for (a of b; track a.id) {", "}", "@empty{", "}", "@switch (m) {", "@case (\"e\") {", "}",
                   "@default {", "}", "}"}));
  EXPECT_EQ(code_in("@defer (on viewport) {a} @placeholder (minimum 5ms) {b} @loading {c} @error {d}").size(), 8U);
}

TEST(CodeInHtmlText, BracesOfTextInABlockDoNotEndIt) {
  EXPECT_EQ(code_in("@if (a) {an {n, plural, =1 {x}} b} c }"), (Codes{"@if (a) {", "}"}));
}

TEST(CodeInHtmlText, VariablesOfAngularEndWithASemicolon) {
  EXPECT_EQ(code_in("@let a = b(';') + {c: 1}; text"), Codes{"@let a = b(';') + {c: 1};"});
}

TEST(CodeInHtmlText, QuestionsOfMoodleStandForWords) {
  EXPECT_EQ(code_in("is {1:MULTICHOICE:=a#b~c} or {:SA:=d \\} e}."),
            (Codes{"={1:MULTICHOICE:=a#b~c}", "={:SA:=d \\} e}"}));
}

TEST(CodeInHtmlText, OtherSignsAreText) {
  for (const std::string text : {"me@if.com", "@if you", "@iffy (a) {", "@else", "a } b { c", "@let us = go",
                                 "@media (x) {", "{1:a}", "{n:NUMBER}", "@if (a {", "@let me;"}) {
    EXPECT_EQ(code_in(text), Codes{}) << text;
  }
}

TEST(CodeInHtmlText, ManyBeginningsTakeATimeThatGrowsWithTheText) {
  for (const std::string part : {"@if (", "@if (a) {", "@let a = ", "{1:AB:", "@if ('"}) {
    std::string text;
    while (text.size() < 300'000) text += part;
    static_cast<void>(code_in(text));
  }
}

}  // namespace
}  // namespace ventris::markup
