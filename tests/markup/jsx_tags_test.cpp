#include "markup/jsx_tags.h"

#include <gtest/gtest.h>

namespace ventris::markup {
namespace {

std::string plain(const std::string& document) { return with_plain_tags(document, jsx_in_tags(document)); }

TEST(JsxTags, BracesInTagsBecomeNames) {
  EXPECT_EQ(plain("<A b={() => go(\"x }\")}>c</A> {d}"), "<A b=" + std::string(17, 'x') + ">c</A> {d}");
  EXPECT_EQ(plain("<A b='{' {...c} d={{e: 1}} />"), "<A b='{' xxxxxx d=xxxxxxxx />");
  EXPECT_EQ(plain("<A c={<b>it's</b>}/>"), "<A c=xxxxxxxxxxxxx/>");
}

TEST(JsxTags, HaveOneLine) {
  EXPECT_EQ(plain("<A\n  b={[\n    {c: 1},\n\n  ]}>"), "<A\n  b=" + std::string(20, 'x') + ">");
}

TEST(JsxTags, AnEndThatBeginsALineIsNoQuotation) {
  EXPECT_EQ(plain("<Card\n  b=\"c\"\n  d\n>\n  e\n</Card>"), "<Card\n  b=\"c\"\n  d >\n  e\n</Card>");
  EXPECT_EQ(plain("a <b\n> c"), "a <b\n> c") << "no attributes";
  EXPECT_EQ(plain("<A\n  b=\"c\"\n/>"), "<A\n  b=\"c\"\n/>");
}

TEST(JsxTags, NamesMayHavePoints) { EXPECT_EQ(plain("<A.B>c.d</A.B> <e.f/> g.h>"), "<AxB>c.d</AxB> <exf/> g.h>"); }

TEST(JsxTags, SignsOfVueBecomeColons) {
  EXPECT_EQ(plain("<a @b=\"c\" :d='e' #f=\"{g}\">"), "<a :b=\"c\" :d='e' :f=\"{g}\">");
  EXPECT_EQ(plain("<template #a> <template #b=\"c\">"), "<template :a> <template :b=\"c\">");
  EXPECT_EQ(plain("<john @home> <see #a>"), "<john @home> <see #a>");
}

TEST(JsxTags, WhatIsNoTagStays) {
  for (const std::string text : {"a < {b}", "<a {b", "<a href=\"{b}\">", "<a>{b}</a>", "<a {b\n```\n}>", "<1 {b}>",
                                 "<a{b}>", "<a b=c {d}", "{a} > {b}"}) {
    EXPECT_EQ(plain(text), text);
  }
}

TEST(JsxTags, AfterOneWithoutAnEndOthersAreFoundInTheNextParagraph) {
  EXPECT_EQ(plain("<a {b\n\n<c {d}>"), "<a {b\n\n<c xxx>");
}

TEST(JsxTags, ManyWithoutAnEndTakeATimeThatGrowsWithTheDocument) {
  for (const std::string part : {"<a {", "<a b='", "<a {`", "<a {'", "<a b ", "<a\n{", "<a {}"}) {
    std::string document;
    while (document.size() < 2'000'000) document += part;
    EXPECT_EQ(plain(document).size(), document.size());
  }
}

TEST(EndOfBalancedBraces, PassesOverStrings) {
  EXPECT_EQ(end_of_balanced_braces("{a{b}\"}\"'{'`\n}`}c", 0, 100), 16U);
  EXPECT_EQ(end_of_balanced_braces("{a}", 0, 2), std::string_view::npos);
  EXPECT_EQ(end_of_balanced_braces("{don't}", 0, 100), 7U) << "an apostrophe";
}

}  // namespace
}  // namespace ventris::markup
