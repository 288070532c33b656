#include "markup/markdown_in_html.h"

#include <gtest/gtest.h>

#include "support/in_capitals.h"

namespace ventris::markup {
namespace {

std::string opened(const std::string& document) { return with_markdown_in_html(document).text; }

TEST(MarkdownInHtml, LinesOfTagsBecomeRules) {
  EXPECT_EQ(opened("<div markdown>\na *b*\n</div>\n<p>c</p>\n"), "**************\na *b*\n******\n<p>c</p>\n");
  EXPECT_EQ(opened("- <div markdown=\"1\">\n  a\n  </div>\n"), "- ******************\n  a\n  ******\n");
  EXPECT_EQ(opened("> <div markdown>\n> a\n> </div>\n"), "> **************\n> a\n> ******\n");
}

TEST(MarkdownInHtml, TagsBesideTextBecomeTagsInsideASentence) {
  EXPECT_EQ(opened("<figure markdown>\n  <figcaption>a</figcaption> <b>c</b>\n</figure>\n"),
            "*****************\n  <xigcaption>a</xigcaption> <b>c</b>\n*********\n");
  EXPECT_EQ(opened("<details markdown=\"1\"><summary>a</summary>\nb</details>\n"),
            "<xetails markdown=\"1\"><xummary>a</xummary>\nb</xetails>\n");
}

TEST(MarkdownInHtml, AnAttributeOfAnElementInsideIsEnough) {
  EXPECT_EQ(opened("<table>\n<tr><td markdown=\"1\">a</td></tr>\n</table>\n"),
            "*******\n<xr><xd markdown=\"1\">a</xd></xr>\n********\n");
}

TEST(MarkdownInHtml, TextThatIsIndentedWithItsTagsIsNoCode) {
  EXPECT_EQ(opened("<div markdown>\n    <p>\n      a\n      b\n    </p>\n</div>\n"),
            "**************\n*******\n>   > a\n      b\n********\n******\n");
  EXPECT_EQ(opened("<div markdown>\n    a\n</div>\n"), "**************\n    a\n******\n")
      << "this is code for other programs, too";
}

TEST(MarkdownInHtml, ComponentsHaveMarkdown) {
  EXPECT_EQ(opened("<Steps>\n1. a\n</Steps>\n"), "*******\n1. a\n********\n");
  EXPECT_EQ(opened("<Tabs.Item a=\"b\">\na\n</Tabs.Item>\n").substr(0, 3), "***");
  EXPECT_TRUE(with_markdown_in_html("<Steps>\na\n</Steps>").has_components);
  EXPECT_FALSE(with_markdown_in_html("<div markdown>\na\n</div>").has_components);
  for (const std::string document : {"<Enter>\nto go on\n", "press\n<Enter>\na\n</Enter>\n", "<DIV>\na\n</DIV>\n",
                                     "<Steps>a</Steps>\n", "<Icon />\na\n</Icon>\n"}) {
    EXPECT_EQ(opened(document), document);
  }
}

TEST(MarkdownInHtml, OtherHtmlAndCodeStay) {
  for (const std::string document :
       {"<div>\na\n</div>\n", "a <b markdown>c</b>\n", "```\n<div markdown>\n</div>\n```\n",
        "<div markdown=\"0\">\na\n</div>\n", "<Step>\na\n</Steps>\n", "<div markdown><pre>\na\n</pre></div>\n",
        "<div\nmarkdown>\na\n</div>\n", "<!-- <div markdown> -->\n"}) {
    EXPECT_EQ(opened(document), document);
  }
  EXPECT_EQ(opened("<div markdown>\n\n```\n<p>\n```\n\n</div>\n"), "**************\n\n```\n<p>\n```\n\n******\n");
}

TEST(MarkdownInHtml, APageWithComponentsHasNoIndentedCode) {
  const std::string page =
      "<Steps>\n  <Step>\n    do it:\n\n    ```sh\n    npm i\n    ```\n\n    then run.\n  </Step>\n</Steps>\n";
  EXPECT_EQ(in_capitals(page, Markup::kMarkdown),
            "<Steps>\n  <Step>\n    DO IT:\n\n    ```sh\n    npm i\n    ```\n\n    THEN RUN.\n  </Step>\n</Steps>\n");
  EXPECT_EQ(in_capitals("one\n\n    two\n", Markup::kMarkdown), "ONE\n\n    two\n");
}

TEST(MarkdownInHtml, ManyElementsWithoutAnEndTakeATimeThatGrowsWithTheDocument) {
  for (const std::string part :
       {"<div markdown>\n", "<p markdown>a</b>\n", "<Steps>\n", "<div>\n", "<div markdown></div></p>\n"}) {
    std::string document = "<section markdown>\n";
    while (document.size() < 1'000'000) document += part;
    EXPECT_EQ(opened(document).size(), document.size());
  }
  std::string names;
  for (int i = 0; i < 100'000; ++i) names += "<Aa" + std::to_string(i) + ">\n\n";
  EXPECT_EQ(opened(names), names);
}

TEST(MarkdownInHtml, DeepIndentationTakesATimeThatGrowsWithIt) {
  const std::string spaces(1'000'000, ' ');
  EXPECT_EQ(opened("<Grid>\n" + spaces + "<Card>\n" + spaces + "    text\n</Card>\n</Grid>\n").size(), 2'000'039U);
}

}  // namespace
}  // namespace ventris::markup
