#include "markup/markup.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::markup {
namespace {

using Texts = std::vector<std::string>;

std::string whole(const MarkedDocument& document, Markup markup) {
  std::string text;
  for (const Block& block : document.blocks) {
    text += block.before + block.text.raw({0, block.text.text.size()}, [&](auto part) { return escape(part, markup); });
  }
  return text + document.after;
}

Texts texts(const std::string& document, Markup markup) {
  Texts all;
  for (const Block& block : parse_markup(document, markup).blocks) all.push_back(block.text.text);
  return all;
}

TEST(ParseMarkup, APlainTextIsOneBlock) {
  EXPECT_EQ(texts("a <b> &amp; c", Markup::kNone), Texts{"a <b> &amp; c"});
  EXPECT_EQ(escape("a < b & c", Markup::kNone), "a < b & c");
  EXPECT_EQ(escape("a < b & c", Markup::kHtml), "a &lt; b &amp; c");
}

TEST(ParseMarkup, TheBlocksOfHtmlAreTheWholeDocumentAgain) {
  const std::string page =
      "<!DOCTYPE html>\n<html><head><title>Dogs</title><style>p {}</style></head>\n<body class=x>\n"
      "<p>Two <b>big</b> dogs &amp; a <a href='x?a=1&b=2'>cat</a>.\n<p>Run <code>ls &lt; x</code> now<br>or never.\n"
      "<!-- a > b --><ul><li>One<li>Two</ul><pre> a\n b</pre></body></html>\n";
  for (const std::string document :
       {page.c_str(), "Just text", "<body><p>x &amp; y\n</body></html>\n", "a &lt; b &lt; c</body> \n", "<p>x</p>", "",
        "  \n", "<b>un</b>closed <i>tag", "<b><i>wrong</b></i> order", "a </p> stray",
        "<table><b>moved</b><tr><td>cell</table>", "caf\u00e9 <b>\u4f60</b>", "<p title=\"a>b\">x</P >", "\uFFFC a"}) {
    EXPECT_EQ(whole(parse_markup(document, Markup::kHtml), Markup::kHtml), document);
  }
}

TEST(ParseMarkup, InlineTagsOfHtmlStayInTheTextAndBlockTagsDivideIt) {
  const std::string html = "<h1>Dogs &amp; cats</h1><p>Two <b>big</b> dogs<br>run.</p>";
  EXPECT_EQ(texts(html, Markup::kHtml), (Texts{"Dogs & cats", "Two big dogs", "run."}));
  const auto blocks = parse_markup(html, Markup::kHtml).blocks;
  ASSERT_EQ(blocks[1].text.marks.size(), 2U);
  EXPECT_EQ(blocks[1].text.marks[0].raw, "<b>");
  EXPECT_EQ(blocks[1].text.marks[1].kind, Mark::Kind::kClose);
}

TEST(ParseMarkup, TextBeforeTheEndOfTheBodyIsText) {
  EXPECT_EQ(texts("<body>x &amp; y\n</body></html>\n", Markup::kHtml), Texts{"x & y\n"});
  EXPECT_EQ(texts("a < b", Markup::kHtml), Texts{"a < b"});
}

TEST(ParseMarkup, CodeAndWhatIsMarkedSoIsNotTranslated) {
  EXPECT_EQ(texts("Run <code>ls <b>x</b></code> now <span translate=no>Acme</span><img src=a>", Markup::kHtml),
            Texts{"Run \uFFFC now \uFFFC"});
  EXPECT_EQ(texts("<script>let a = 'b'</script><pre>x y</pre><style>a {}</style>", Markup::kHtml), Texts{});
}

TEST(ParseMarkup, APairThatIsClosedInsideWhatIsHiddenIsNone) {
  std::string page = "<u>a</u>";
  for (int64_t i = 0; i <= kDeepestNesting; ++i) page += "<b><code>x</b></code> ";
  const auto blocks = parse_markup(page, Markup::kHtml).blocks;
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_EQ(blocks[0].text.marks[2].kind, Mark::Kind::kAlone);
  EXPECT_EQ(whole(parse_markup(page, Markup::kHtml), Markup::kHtml), page);
}

TEST(ParseMarkup, TagsOfHtmlThatOverlapAreHalvesOfAPair) {
  const auto marks = parse_markup("<b>a <i>b</b> c</i> <u>d</u>", Markup::kHtml).blocks.at(0).text.marks;
  ASSERT_EQ(marks.size(), 6U);
  EXPECT_EQ(marks[0].kind, Mark::Kind::kAlone);
  EXPECT_NE(marks[0].pair, 0U);
  EXPECT_EQ(marks[0].pair, marks[2].pair);
  EXPECT_EQ(marks[1].kind, Mark::Kind::kOpen);
  EXPECT_EQ(marks[3].kind, Mark::Kind::kClose);
  EXPECT_EQ(marks[4].kind, Mark::Kind::kOpen);
}

TEST(ParseMarkup, CodeWithoutAnEndTagEndsWhereABrowserEndsIt) {
  for (const auto& [page, expected] : std::vector<std::pair<std::string, Texts>>{
           {"a <pre>b<p>c</p>", {"a "}},
           {"<div>a <pre>b <p>c</p></div>d", {"a ", "d"}},
           {"<p>a <pre>b</p>c", {"a "}},
           {"<table><tr><td><pre>a<td>b</table>c", {"b", "c"}},
           {"<table><tr><td>a <code>b<td>c</table>d", {"a \uFFFC", "c", "d"}},
           {"<ul><li><pre>a<li>b</ul>c", {"c"}},
           {"<ul><li>a <kbd>b<li>c</ul>d", {"a \uFFFC", "c", "d"}},
           {"<p>a <kbd>b</p>c", {"a \uFFFC", "c"}},
           {"<p>a <kbd>b<div>c</div>", {"a \uFFFC", "c"}},
           {"<p>a <code>b</p><p>c</p>", {"a \uFFFC"}},
           {"<div><pre>a <code>b</div>c</code>d", {"\uFFFCd"}},
           {"<b>a <var>b</b> c", {"a \uFFFC c"}},
           {"<svg><text>a</text><p>b", {"b"}},
           {"a <svg><text>b</text></svg> c <svg><text>d", {"a \uFFFC c \uFFFC"}},
           {"<template><div>a</div>b</body>", {}},
           {"<pre>a<div translate=yes>b</div>c", {"b"}},
           {"<pre translate=yes>a", {"a"}},
           {"<pre>a<pre>b</pre>c", {}},
       }) {
    EXPECT_EQ(texts(page, Markup::kHtml), expected) << page;
    EXPECT_EQ(whole(parse_markup(page, Markup::kHtml), Markup::kHtml), page);
  }
}

TEST(ParseMarkup, OfElementsWithoutTagsOnlyTheTitleIsTranslated) {
  EXPECT_EQ(texts("<title>Why &amp; how </textarea> &lt;works</title>", Markup::kHtml),
            Texts{"Why & how </textarea> <works"});
  for (const std::string page :
       {"<noframes><body><p>No &amp; fun</p></noframes>", "<noembed>a <b>c</noembed>", "<plaintext>a"}) {
    EXPECT_EQ(texts(page, Markup::kHtml), Texts{}) << page;
    EXPECT_EQ(whole(parse_markup(page, Markup::kHtml), Markup::kHtml), page);
  }
}

TEST(ParseMarkup, TagsInSvgAreItsOwnUntilAnElementOfHtmlEndsIt) {
  EXPECT_EQ(texts("<svg><style/><title>a</title></svg>b", Markup::kHtml), Texts{"\uFFFCb"});
  EXPECT_EQ(texts("<svg><path/><p>a</p><script>b</script>", Markup::kHtml), Texts{"a"});
}

TEST(ParseMarkup, ABlockKnowsItsLine) {
  const auto blocks = parse_markup("<p>\n\none\ntwo</p>\n<p>three</p>", Markup::kHtml).blocks;
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(blocks[0].line, 1);
  EXPECT_EQ(blocks[1].line, 5);
}

TEST(ParseMarkup, TheBlocksOfXmlAreTheWholeDocumentAgain) {
  const std::string list =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE a [<!ENTITY x \"y\">]>\n<a b='c'>\n <t>Two <b>big</b> dogs &amp; a "
      "<x/>cat</t>\n <t/><t><![CDATA[<raw & text>]]></t><!-- note -->\n</a>\n";
  for (const std::string document : {list.c_str(), "<a>text</a>", "<a/>",
                                     "<!DOCTYPE a [<!ENTITY x \"y\">]><a>one &x; two</a>", "<a>\u4f60 <b>x</b></a>"}) {
    EXPECT_EQ(whole(parse_markup(document, Markup::kXml), Markup::kXml), document);
  }
}

TEST(ParseMarkup, AnElementOfXmlInsideTextIsAPartOfItsSentence) {
  EXPECT_EQ(texts("<doc><t>Two <b>big</b> dogs</t><u><v>One</v><v>Two</v></u></doc>", Markup::kXml),
            (Texts{"Two big dogs", "One", "Two"}));
  EXPECT_EQ(texts("<a><![CDATA[this, too]]></a>", Markup::kXml), Texts{"this, too"});
}

TEST(ParseMarkup, AnEntityOfAnXmlDocumentIsKept) {
  EXPECT_EQ(texts("<!DOCTYPE a [<!ENTITY x \"y\">]><a>one &x; two</a>", Markup::kXml), Texts{"one \uFFFC two"});
}

TEST(ParseMarkup, TagsThatAreNestedTooDeeplyAreRefused) {
  std::string tags, ends;
  for (int64_t i = 0; i <= kDeepestNesting; ++i) {
    tags += "<b>";
    ends += "</b>";
  }
  EXPECT_FAILS(parse_markup("\n" + tags + ends, Markup::kHtml), MarkupError,
               "line 2: tags are nested deeper than 1000");
  EXPECT_FAILS(parse_markup("\n" + tags + ends, Markup::kXml), MarkupError, "line 2: tags are nested deeper than 1000");
  EXPECT_EQ(texts(tags.substr(3) + "x" + ends.substr(4), Markup::kHtml), Texts{"x"});
}

TEST(ParseMarkup, XmlThatIsNotWellFormedNamesItsLine) {
  EXPECT_FAILS(parse_markup("<a>\n<b></a>", Markup::kXml), MarkupError, "line 2: not well-formed XML: mismatched tag");
  EXPECT_FAILS(parse_markup("text", Markup::kXml), MarkupError, "not well-formed XML");
}

}  // namespace
}  // namespace ventris::markup
