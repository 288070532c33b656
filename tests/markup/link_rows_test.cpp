#include "markup/link_rows.h"

#include <gtest/gtest.h>

#include "markup/html.h"
#include "markup/markdown.h"

namespace ventris::markup {
namespace {

using Texts = std::vector<std::string>;

Texts texts_of(const MarkedDocument& document) {
  Texts texts;
  for (const Block& block : document.blocks) texts.push_back(block.text.raw({0, block.text.text.size()}));
  return texts;
}
Texts html_rows(const std::string& page) { return texts_of(parse_html(page)); }

TEST(LinkRows, EachLinkOfARowIsATextOfItsOwn) {
  EXPECT_EQ(html_rows("<p><a href=1>Open</a> | <a href=2>The <b>dog</b></a>&nbsp;&middot; <A href=3>The cat</A></p>"),
            (Texts{"<a href=1>Open</a>", "<a href=2>The <b>dog</b></a>", "<A href=3>The cat</A>"}));
  EXPECT_EQ(html_rows("<nav><b><a>Open</a></b><a>The dog</a> (12)</nav>"), (Texts{"<a>Open</a>", "<a>The dog</a>"}));
  EXPECT_EQ(texts_of(parse_markdown("[Open](a) | **[The dog](b)**\n[The *cat*](c)\n")),
            (Texts{"[Open](a)", "[The dog](b)", "[The *cat*](c)"}));
}

TEST(LinkRows, ElementsOfProgramsAreLikeLinks) {
  EXPECT_EQ(html_rows("<my-list><my-item>One</my-item><my-item>Two</my-item></my-list>"),
            (Texts{"<my-item>One</my-item>", "<my-item>Two</my-item>"}));
  EXPECT_EQ(html_rows("<p>Give her <st1:place>the</st1:place> book.<o:p></o:p></p>"),
            Texts{"Give her <st1:place>the</st1:place> book.<o:p></o:p>"});
}

TEST(LinkRows, WhatIsInsideALinkDoesNotEndIt) {
  EXPECT_EQ(html_rows("<a><abbr>TV</abbr> set</a> | <a><my-icon>x</my-icon> The dog</a>"),
            (Texts{"<a><abbr>TV</abbr> set</a>", "<a><my-icon>x</my-icon> The dog</a>"}));
}

TEST(LinkRows, WhatIsOutsideStaysAsItIsWritten) {
  const MarkedDocument document = parse_html("<p>&raquo; <a>Open</a>&nbsp;<i>|</i> <a>The dog</a> .</p>");
  ASSERT_EQ(document.blocks.size(), 2U);
  EXPECT_EQ(document.blocks[0].before, "<p>&raquo; ");
  EXPECT_EQ(document.blocks[1].before, "&nbsp;<i>|</i> ");
  EXPECT_EQ(document.after, " .</p>");
}

TEST(LinkRows, LinksInASentenceAreAPartOfIt) {
  for (const std::string page :
       {"<p><a>Open</a> or <a>close</a></p>", "<p><a>Open</a> | text</p>", "<p><a>Open</a></p>",
        "<p><abbr>The</abbr> <abbr>dog</abbr></p>", "<p><a>Open</a> <a>2</a></p>"}) {
    EXPECT_EQ(html_rows(page).size(), 1U) << page;
  }
}

TEST(LinkRows, ABlockMayEndWithARow) {
  EXPECT_EQ(html_rows("<p>All rights reserved. <a>Open</a> | <a>The dog</a></p>"),
            (Texts{"All rights reserved. ", "<a>Open</a>", "<a>The dog</a>"}));
  EXPECT_EQ(html_rows("<p>Share: <a>Open</a> <a>The dog</a></p>").size(), 3U);
  EXPECT_EQ(html_rows("<p>We have <a>dogs</a> &middot; <a>cats</a></p>").size(), 3U);
  EXPECT_EQ(html_rows("<p><b>All</b> rights. <a>Open</a> | <a>The dog</a></p>").size(), 3U);
  for (const std::string page : {"<p>We have <a>dogs</a>, <a>cats</a></p>", "<p>One. <a>Open</a></p>",
                                 "<p><b>See: <a>one</a> <a>two</a></b></p>", "<p>One. <a>Open</a> | <a>2</a></p>"}) {
    EXPECT_EQ(html_rows(page).size(), 1U) << page;
  }
}

}  // namespace
}  // namespace ventris::markup
