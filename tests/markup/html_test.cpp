#include "markup/html.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/in_capitals.h"

namespace ventris::markup {
namespace {

std::string html_in_capitals(const std::string& page, const DocumentChanges& changes = {}) {
  return in_capitals(page, Markup::kHtml, changes);
}

TEST(RoleOfElement, IsWhatTheElementIsForASentence) {
  EXPECT_EQ(role_of_element("b"), HtmlRole::kInline);
  EXPECT_EQ(role_of_element("code"), HtmlRole::kInlineCode);
  EXPECT_EQ(role_of_element("pre"), HtmlRole::kBlockCode);
  EXPECT_EQ(role_of_element("p"), HtmlRole::kBlock);
  EXPECT_EQ(role_of_element("nosuchelement"), HtmlRole::kBlock);
  EXPECT_EQ(role_of_element("my-icon"), HtmlRole::kInline);
  EXPECT_EQ(role_of_element("st1:place"), HtmlRole::kInline);
}

TEST(DecodeEntities, KnowsThoseOfHtmlAndLeavesOthers) {
  EXPECT_EQ(decode_entities("a &amp; b &lt; &#228;&#xe4; &nbsp;&hearts;"), "a & b < \u00e4\u00e4 \u00a0\u2665");
  EXPECT_EQ(decode_entities("AT&T &nosuch; & &amp"), "AT&T &nosuch; & &");
  EXPECT_EQ(decode_entities("\na"), "\na");
  EXPECT_EQ(decode_entities("a < b &gt; <c>"), "a < b > <c>");
  EXPECT_EQ(decode_entities("&lt;b&gt;x"), "<b>x");
}

TEST(ParseHtml, AnEndTagClosesTheLastOpenElementOfItsName) {
  const auto kinds = [](const std::string& page) {
    std::string all;
    const MarkedDocument read = parse_html(page);
    for (const Mark& mark : read.blocks.at(0).text.marks) {
      all += mark.kind == Mark::Kind::kOpen ? '(' : mark.kind == Mark::Kind::kClose ? ')' : '.';
    }
    return all;
  };
  EXPECT_EQ(kinds("<b>a <b>c</b> d</b>"), "(())");
  EXPECT_EQ(kinds("<b>a <i>c</b> d"), "(.)") << "the <i> is never closed";
  EXPECT_EQ(kinds("<b>a <i>c</b> d</i>"), ".(.)") << "the <b> overlaps the <i>";
  EXPECT_EQ(kinds("<b>a <br/><img></b>").front(), '(');
}

TEST(ParseHtml, NumbersThatAreSignsStayInTheirElement) {
  const auto objects = [](const std::string& page) {
    std::vector<std::string> all;
    const MarkedDocument read = parse_html(page);
    for (const Object& object : read.blocks.at(0).text.objects) all.push_back(object.raw);
    return all;
  };
  using AllTexts = std::vector<std::string>;
  EXPECT_EQ(objects("<p>a<sup>2</sup> b <a href=x>#83</a></p>"), (AllTexts{"<sup>2</sup>", "<a href=x>#83</a>"}));
  EXPECT_EQ(objects("<p>a<sup><a href=x>[1]</a></sup> b</p>"), (AllTexts{"<a href=x>[1]</a>"}))
      << "with its <sup>, as a pair of marks around an object";
  EXPECT_EQ(objects("<p>a<sup><a href=x>1</a></sup> b</p>"), (AllTexts{"<sup><a href=x>1</a></sup>"}));
  EXPECT_EQ(objects("<p>a<a href=x role=doc-noteref>1</a> b <a epub:type='x noteref'>2</a></p>"),
            (AllTexts{"<a href=x role=doc-noteref>1</a>", "<a epub:type='x noteref'>2</a>"}));
  EXPECT_EQ(objects("<p>a <a role=doc-noteref>see below</a></p>"), AllTexts{});
  EXPECT_EQ(objects("<p>a <a href=x>2019</a> b<sup>th</sup> <sup><p>1</p></sup></p>"), AllTexts{});
}

TEST(ParseHtml, AnEndTagWithoutAStartTagDividesTheText) { EXPECT_EQ(parse_html("a </b> c").blocks.size(), 2U); }

TEST(ParseHtml, TheLanguageIsThatOfHtml) {
  EXPECT_EQ(html_in_capitals("<html><p lang=en>a", {.language = "de"}), "<html lang=\"de\"><p lang=en>A");
  EXPECT_EQ(html_in_capitals("<html lang=en>a", {.language = "de"}), "<html lang=\"de\">A");
  EXPECT_EQ(html_in_capitals("<html xml:lang='en' lang='en'>a", {.language = "de"}), "<html xml:lang='de' lang='de'>A");
  EXPECT_EQ(html_in_capitals("<p>a", {.language = "de"}), "<p>A") << "a part of a page has no root";
}

TEST(ParseHtml, CodeWithoutAnEndTagKeepsItsAttributes) {
  EXPECT_EQ(html_in_capitals("<b title=x>a</b> <pre><b title=y>b</b>", {.attributes = true}),
            "<b title=\"X\">A</b> <pre><b title=y>b</b>");
}

TEST(ParseHtml, ManyElementsOfCodeThatNeverEndTakeLinearTime) {
  std::string page;
  for (int i = 0; i < 50'000; ++i) page += "<div><code>a<pre>b</div><kbd>";
  const MarkedDocument read = parse_html("x" + page);
  ASSERT_EQ(read.blocks.size(), 1U);
  EXPECT_EQ(read.blocks[0].text.text, "x");
}

TEST(ParseHtml, CodeWithoutAnEndTagDoesNotEndWithTheBeginningOfATag) {
  const MarkedDocument read = parse_html("a <svg><<<b>b</b>");
  ASSERT_EQ(read.blocks.size(), 1U);
  ASSERT_EQ(read.blocks[0].text.objects.size(), 1U);
  EXPECT_EQ(read.blocks[0].text.objects[0].raw, "<svg>");
  EXPECT_EQ(read.blocks[0].text.text, "a \uFFFC<<b") << "where something else comes behind it, it is written as &lt;";
}

TEST(ParseHtml, TagsOfTemplatesStayAsTheyAre) {
  EXPECT_EQ(html_in_capitals("<p>{% if a > 0 %}text{% endif %} {{ a && b }}</p>"),
            "<p>{% if a > 0 %}TEXT{% endif %} {{ a && b }}</p>");
  EXPECT_EQ(html_in_capitals("<p><i class=\"material-icons md\">home</i> a <mat-icon>b</mat-icon></p>"),
            "<p><i class=\"material-icons md\">home</i> A <mat-icon>b</mat-icon></p>");
  EXPECT_EQ(html_in_capitals("<p>a <%= b %> c<?php echo $d > 1; ?></p>"), "<p>A <%= b %> C<?php echo $d > 1; ?></p>");
  EXPECT_EQ(html_in_capitals("{# a #}{% comment %}b{% endcomment %}c"), "{# a #}{% comment %}b{% endcomment %}C");
  EXPECT_EQ(html_in_capitals("<a href=\"{% url 'a' %}\">b</a>{% c %}"), "<a href=\"{% url 'a' %}\">B</a>{% c %}");
}

TEST(ParseHtml, ElementsOfFormulasStay) {
  for (const std::string formula :
       {"<span class=\"math inline\">\\(a b\\)</span>", "<span class=\"math display\">a</span>",
        "<span class=\"katex\"><math><mi>x</mi></math><span class=\"katex-html\"><span>x</span></span></span>",
        "<mjx-container>x</mjx-container>", "<span class=\"MathJax\">x</span>",
        "<script type=\"math/tex\">x</script>"}) {
    const MarkedDocument page = parse_html("<p>a " + formula + " b</p>", {});
    ASSERT_EQ(page.blocks.size(), 1U) << formula;
    ASSERT_EQ(page.blocks[0].text.objects.size(), 1U) << formula;
    EXPECT_EQ(page.blocks[0].text.objects[0].raw, formula);
  }
  EXPECT_EQ(html_in_capitals("<p class=\"math\">a <b class=\"inline\">b</b></p>"),
            "<p class=\"math\">A <b class=\"inline\">B</b></p>");
}

TEST(ParseHtml, TemplatesAroundWordsArePairsOfMarks) {
  const MarkedDocument page = parse_html("<p>a {% if x %}b{% endif %} c {{ d }}</p>", {});
  ASSERT_EQ(page.blocks.size(), 1U);
  ASSERT_EQ(page.blocks[0].text.marks.size(), 2U);
  EXPECT_EQ(page.blocks[0].text.marks[0].kind, Mark::Kind::kOpen);
  EXPECT_EQ(page.blocks[0].text.objects.size(), 1U);
}

TEST(ParseHtml, BlankLinesDivideTheTextOfAPartOfAPage) {
  const auto texts = [](const std::string& page) {
    std::vector<std::string> found;
    for (const Block& block : parse_html(page).blocks) found.push_back(block.text.text);
    return found;
  };
  EXPECT_EQ(texts("<h2>A</h2>\nOne:\n\nTwo <b>b</b>\n \r\n<i>c</i>\n\nThree\n"),
            (std::vector<std::string>{"A", "\nOne:", "Two b", "c", "Three\n"}));
  EXPECT_EQ(texts("<html><body>One\n\ntwo</body></html>"), std::vector<std::string>{"One\n\ntwo"}) << "a whole page";
  EXPECT_EQ(texts("<p>One\n\ntwo</p>"), std::vector<std::string>{"One\n\ntwo"}) << "it has paragraphs";
  EXPECT_EQ(texts("<p>One</p>\n\n[button id=\"a\"]\n\nTwo\n\n[vc_row]\n"),
            (std::vector<std::string>{"One", "\n\n[button id=\"a\"]", "Two", "[vc_row]\n"}))
      << "a post of WordPress";
  EXPECT_EQ(html_in_capitals("<b>one\n\ntwo</b> &amp; a\n\n\nb\n"), "<b>ONE\n\nTWO</b> &amp; A\n\n\nB\n");
}

TEST(ParseHtml, TheSettingsOfASiteGeneratorStay) {
  for (const std::string settings : {"---\nlayout: default\ntitle: A {{ page }}\n---\n", "---\r\nlayout: a\r\n---\r\n",
                                     "+++\ntitle = \"a\"\n+++\n", "---\n---\n"}) {
    for (const std::string page :
         {"<p>{{ a }} one</p>\n", "<!DOCTYPE html>\n<html><body>one</body></html>\n", "one\n"}) {
      std::string expected = page;
      expected.replace(page.find("one"), 3, "ONE");
      EXPECT_EQ(html_in_capitals(settings + page), settings + expected);
    }
  }
  EXPECT_EQ(html_in_capitals("---\ntitle: How {{ works\n---\none {{ b }}\n"),
            "---\ntitle: How {{ works\n---\nONE {{ b }}\n");
  EXPECT_EQ(html_in_capitals("---\none: two three\nfour\n"), "---\nONE: TWO THREE\nFOUR\n") << "no end";
}

TEST(ParseHtml, TheTemplateOfAComponentOfVueIsItsPage) {
  EXPECT_EQ(html_in_capitals(
                "<template lang=\"html\">\n<p>one</p><template #a>b</template>\n</template>\n<script>c</script>\n"),
            "<template lang=\"html\">\n<p>ONE</p><template #a>B</template>\n</template>\n<script>c</script>\n");
  EXPECT_EQ(html_in_capitals("<script setup>c</script>\n<template>\n<p>one</p>\n</template>"),
            "<script setup>c</script>\n<template>\n<p>ONE</p>\n</template>");
  for (const char* page : {"<template lang=\"pug\">\np one\n</template>", "<html>\n<template>\none\n</template></html>",
                           "<template>one</template>", "<template id=\"a\">\none\n</template>",
                           "<template>\none\n</template>\n<template>\ntwo\n</template>", "<template-a>\n</template>"})
    EXPECT_EQ(html_in_capitals(page), page);
}

TEST(ParseHtml, CodeInsideATagOrATitleStays) {
  const auto page = [](const std::string& text) { return html_in_capitals(text, {.attributes = true}); };
  EXPECT_EQ(page("<a <?= $a > 1 ? 'b' : '' ?>>c</a>"), "<a <?= $a > 1 ? 'b' : '' ?>>C</a>");
  EXPECT_EQ(page("<a href=\"<?php echo u(\"x\") ?>\">c</a>"), "<a href=\"<?php echo u(\"x\") ?>\">C</a>");
  EXPECT_EQ(page("<p {% if a > b %}class=\"x\"{% endif %}>c</p>"), "<p {% if a > b %}class=\"x\"{% endif %}>C</p>");
  EXPECT_EQ(page("<title><%= a %> b</title>"), "<title><%= a %> B</title>");
  EXPECT_EQ(page("<img alt=\"<%= a %> b & {{ c }}\">"), "<img alt=\"<%= a %> B &amp; {{ c }}\">");
  EXPECT_EQ(page("<img alt=\"<%= a(\"d\") %> b\">"), "<img alt=\"<%= a(\"d\") %> b\">") << "quotation marks in code";
  EXPECT_EQ(page("<title>a"), "<title>A");
}

TEST(ParseHtml, ANumberInALinkToAnAnchorIsTheSignOfANote) {
  const auto objects = [](const std::string& page) { return parse_html(page).blocks.at(0).text.objects.size(); };
  for (const std::string page :
       {"<p>The dog.<a href='#f1'>1</a> It is red.</p>", "<p><a href='n.html#r1'>1</a> This is a note.</p>",
        "<p>The dog<span class=s><span><a href='#f1'><span>12</span></a></span></span> is red.</p>"}) {
    EXPECT_EQ(objects(page), 1U) << page;
  }
  for (const std::string page :
       {"<p>See section <a href='#s2'>2</a> for more.</p>", "<p>The dog.<a href='f1'>1</a> It</p>",
        "<p>The dog.<a href='#f1'>One</a> It is red.</p>"}) {
    EXPECT_EQ(objects(page), 0U) << page;
  }
}

}  // namespace
}  // namespace ventris::markup
