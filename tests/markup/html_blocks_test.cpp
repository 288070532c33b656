#include "markup/html_blocks.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "markup/markdown.h"

namespace ventris::markup {
namespace {

using Found = std::vector<std::string>;

/// The texts of the blocks of HTML in a document of Markdown, without white space around them.
Found texts_of_html(const std::string& document) {
  Found texts;
  for (const Block& block : parse_markdown(document).blocks) {
    if (!(block.escaping == Escaping::kHtml)) continue;
    const std::string& text = block.text.text;
    const size_t begin = text.find_first_not_of(" \n"), end = text.find_last_not_of(" \n") + 1;
    texts.push_back(text.substr(begin, end - begin));
  }
  return texts;
}

TEST(HtmlBlocks, HaveTheTextsOfTheirElements) {
  EXPECT_EQ(texts_of_html("<details>\n<summary>Open me</summary>\n\n*Text*\n\n</details>\n"), Found{"Open me"});
  EXPECT_EQ(texts_of_html("<p align=\"center\">\n  <b>A dog</b> runs.\n  <img src=\"a.png\">\n</p>\n"),
            Found{"A dog runs."});
  EXPECT_EQ(texts_of_html("<table><tr><td>one</td>\n<td>two</td></tr></table>\n"), (Found{"one", "two"}));
  EXPECT_EQ(texts_of_html("- item\n\n  <div>Tom &amp; Anna</div>\n"), Found{"Tom & Anna"});
}

TEST(HtmlBlocks, AreApartFromTheTextsOfMarkdownAroundThem) {
  const MarkedDocument document = parse_markdown("<!-- a -->\nb\n\n<hr>c\n\nd\n");
  Found texts;
  for (const Block& block : document.blocks)
    texts.push_back(block.text.text + ((block.escaping == Escaping::kHtml) ? " HTML" : ""));
  EXPECT_EQ(texts, (Found{"b", "c HTML", "d"}));
}

TEST(HtmlBlocks, KeepCodeCommentsAndScripts) {
  for (const char* document :
       {"<pre>ls a</pre>\n", "<script>\nlet a = \"b\";\n</script>\n", "<style>a { color: red; }</style>\n",
        "<!-- a comment -->\n", "<div translate=\"no\">name</div>\n", "<p><code>ls</code></p>\n"}) {
    EXPECT_EQ(texts_of_html(document), Found{}) << document;
  }
}

TEST(HtmlBlocks, KeepWhatMayBeCodeOfAProgramOrMarkdown) {
  for (const char* document :
       {"<Button onClick={() => go(1 > 0)}>Press {name}</Button>\n", "<div>\nSee [a](b)\n</div>\n",
        "<div>\n# A title\n</div>\n", "<div>\n- one\n- two\n</div>\n", "<div>\n| a | b |\n</div>\n",
        "<div>The `ls` command</div>\n", "<div>\n1. one\n2. two\n</div>\n", "<div>\nSee [a][b] and ![c][d]\n</div>\n",
        "<div>\nTitle\n=====\n</div>\n", "<div>\nterm\n: text\n</div>\n", "<div>~~old~~</div>\n",
        "<p>from $x$ on</p>\n"}) {
    EXPECT_EQ(texts_of_html(document), Found{}) << document;
  }
  EXPECT_EQ(texts_of_html("<ul><li>*one*</li><li>two</li></ul>\n"), Found{"two"}) << "only the item with the sign";
}

TEST(HtmlBlocks, InQuotationsStayIfTheirLinesBeginWithItsSign) {
  EXPECT_EQ(texts_of_html("> <div>one\n> two</div>\n"), Found{});
  EXPECT_EQ(texts_of_html("> <div>one two</div>\n"), Found{"one two"});
}

TEST(HtmlBlocks, HaveADigestOfAllThatIsNotText) {
  EXPECT_EQ(digest_of_html("<p class='a'>one\ntwo</p>"), digest_of_html("<p\n  class='a'>three</p>"));
  EXPECT_EQ(digest_of_html("<b>a</b> <i>c</i>"), digest_of_html("<i>c</i><b>a</b>"));
  for (const char* other : {"<p class='b'>one</p>", "<p>one", "<p>one</p><!--a-->", "<script>a</script>"}) {
    EXPECT_NE(digest_of_html("<p>one</p>"), digest_of_html(other)) << other;
  }
  EXPECT_NE(digest_of_html("<script>a</script>"), digest_of_html("<script>b</script>"));
}

}  // namespace
}  // namespace ventris::markup
