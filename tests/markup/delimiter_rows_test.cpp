#include "markup/delimiter_rows.h"

#include <gtest/gtest.h>

#include "markup/markdown.h"
#include "markup/markdown_events.h"

namespace ventris::markup {
namespace {

using Texts = std::vector<std::string>;

std::string widened(const std::string& document) { return DelimiterRows(document).widened(); }

Texts blocks(const std::string& document) {
  Texts all;
  for (const Block& block : parse_markdown(document).blocks) all.push_back(block.text.text);
  return all;
}

/// The document as its blocks have it, with upper-case A for a.
std::string changed(const std::string& document) {
  const MarkedDocument parsed = parse_markdown(document);
  std::string all;
  for (const Block& block : parsed.blocks) {
    std::string raw = block.text.raw({0, block.text.text.size()},
                                     [](std::string_view text) { return escape_markdown(text, Escaping::kDocument); });
    for (char& c : raw) c = c == 'a' ? 'A' : c;
    all += block.before + raw;
  }
  return all + parsed.after;
}

TEST(DelimiterRows, CellsGetThreeCharactersAndARowAPipe) {
  EXPECT_EQ(widened("a|b\n|-|:-:|\nc"), "a|b\n|---|:-:|\nc");
  EXPECT_EQ(widened("a|b\n- | -\n"), "a|b\n- | -\n");  // an item of a list
  EXPECT_EQ(widened("> a|b|c\n> -| :-|-:\n"), "> a|b|c\n> |---| :--|--:\n");
  EXPECT_EQ(widened("1. a\\|b\n   :-\n"), "1. a\\|b\n   |:--\n");
  EXPECT_EQ(widened("a\n:---\n"), "a\n|:---\n");
  EXPECT_EQ(widened("a|b\n---|---\n"), "a|b\n---|---\n");
}

TEST(DelimiterRows, AHeadWithAnotherNumberOfCellsHasNone) {
  for (const std::string document : {"a|b\n|-|", "a\n-|-", "a|b|\n-|-|-", "\n-|-", "a|b\n-|-|x", "a|b\n-||-", "a\n-",
                                     "a\n---", "a|b\n::|-", "a|b\n:|-", "|\n-|-"}) {
    EXPECT_EQ(widened(document), document);
  }
  EXPECT_EQ(widened("|a|\n|-|"), "|a|\n|---|");
  EXPECT_EQ(widened("a\\\\|b\n-|-"), "a\\\\|b\n|---|---");
}

TEST(DelimiterRows, TablesWithShortRowsAreTablesAndTheRowsStay) {
  for (const std::string document :
       {"| a | b |\n|-|:-:|\n| c | a d |\n", "a|b\n-|-\nc|a d", "> a|b\n> :-|-:\n> c|a d\n", "- a|b\n  -|--\n  c|a d\n",
        "a|b\r\n-|-\r\nc|a d\r\n", "* > |a|b|\n  > |-|-|\n  > |c|a d|"}) {
    EXPECT_EQ(blocks(document), (Texts{"a", "b", "c", "a d"})) << document;
    std::string expected = document;
    for (char& c : expected) c = c == 'a' ? 'A' : c;
    EXPECT_EQ(changed(document), expected);
  }
  EXPECT_EQ(blocks("a\n:-\nb\n"), (Texts{"a", "b"}));
}

TEST(DelimiterRows, RowsThatAreTextOrCodeStayAsTheyAre) {
  for (const std::string document :
       {"```\na|b\n-|-\n```\n", "    a|b\n    -|-\n", "> a|b\n-|-\n", "<div>\nx\na|b\n-|-\n</div>\n",
        "```\nx\na|b\n-|-\n```\n", "<div>\na|b\n-|-\n</div>\n", "---\na|b\n-|-\n---\n", "x `a|b\n-|-` y\nz\n"}) {
    EXPECT_EQ(changed(document).find("---|"), std::string::npos) << document;
    Texts all;
    for (const MarkdownEvent& event : markdown_events(document)) {
      if (event.has_place()) all.push_back(document.substr(event.range.begin, event.range.end - event.range.begin));
    }
    for (const std::string& text : all) EXPECT_EQ(text.find("---|"), std::string::npos) << document;
  }
  EXPECT_EQ(blocks("```\na|b\n-|-\n```\n\na|b\n-|-\nc|d\n"), (Texts{"a", "b", "c", "d"}));
}

TEST(DelimiterRows, ATableMayStandDirectlyBelowTextAndAboveCodeOrAHeading) {
  for (const std::string document : {"x:\n| c | b |\n|---|---|\n| c | a d |\n", "x:\nc|b\n-|-\nc|a d",
                                     "> x:\n> c|b\n> -|-\n> c|a d\n", "- x:\n  c|b\n  -|-\n  c|a d\n"}) {
    EXPECT_EQ(blocks(document), (Texts{"x:", "c", "b", "c", "a d"})) << document;
    std::string expected = document;
    for (char& c : expected) c = c == 'a' ? 'A' : c;
    EXPECT_EQ(changed(document), expected);
  }
  for (const std::string end : {"```cpp\na\n```\n", "~~~\na\n~~~\n", "# x\n", "##\n"}) {
    const std::string table = "| c | b |\n|-|-|\n| d | e |\n";
    Texts expected{"c", "b", "d", "e"};
    if (end == "# x\n") expected.emplace_back("x");
    EXPECT_EQ(blocks(table + end), expected) << end;
    EXPECT_EQ(changed(table + end), table + end);
    const std::string in_html = "<div>\n" + table + "# x\n</div>\n";
    EXPECT_EQ(blocks(in_html), Texts{}) << "no empty line in a block of HTML";
  }
  EXPECT_EQ(blocks("| a | b |\n|---|---|\n| c | d |\n|---|---|\n| e | f |\n"), (Texts{"a", "b", "c", "d", "e", "f"}))
      << "a second delimiter row is a row";
}

TEST(DelimiterRows, ASecondTableMayFollowWithoutABlankLine) {
  const Texts expected{"w", "c", "b", "d", "e", "x", "f", "g", "h", "i"};
  EXPECT_EQ(blocks("1. w\n   | c | b |\n   |-|-|\n   | d | e |\n2. x\n   | f | g |\n   |-|-|\n   | h | i |\n"),
            expected);
  EXPECT_EQ(blocks("- | c | b |\n  |-|-|\n  | d | e |\n- | f | g |\n  |-|-|\n  | h | i |\n"),
            (Texts{"c", "b", "d", "e", "f", "g", "h", "i"}));
  for (const std::string between : {"* * *\n", "___\n"}) {
    EXPECT_EQ(blocks("| c | b |\n|-|-|\n| d | e |\n" + between + "| f | g |\n|-|-|\n| h | i |\n"),
              (Texts{"c", "b", "d", "e", "f", "g", "h", "i"}))
        << between;
  }
  EXPECT_EQ(blocks("<!--\n| c | b |\n|-|-|\n-->\n| f | g |\n|-|-|\n| h | i |\n"), (Texts{"f", "g", "h", "i"}));
  EXPECT_EQ(blocks("| c | b |\n|-|-|\n| d | e |\n- x\n  | f | g |\n  |-|-|\n  | h | i |\n"),
            (Texts{"c", "b", "d", "e", "x", "f", "g", "h", "i"}));
}

TEST(DelimiterRows, HtmlCodeAndFormulasDirectlyBelowATableAreNoRows) {
  const std::string table = "| c | b |\n|---|---|\n| d | e |\n";
  for (const std::string end :
       {"<pre>\n  make   all\n</pre>\n", "<script>\nif (a < b && c > d) { f(\"*you*\"); }\n</script>\n",
        "<!-- We would like\na glass of milk. -->\n", "<!-- We -->\n", "<?php\necho \"a | b\";\n?>\n", "<h2>7</h2>\n",
        "    code a\n", "$$\na | b\n$$\n"}) {
    EXPECT_EQ(blocks(table + end), (Texts{"c", "b", "d", "e"})) << end;
    EXPECT_EQ(changed(table + end), table + end);
  }
  EXPECT_EQ(blocks(table + "<!-- END -->\n## f\n```\ng\n```\n"), (Texts{"c", "b", "d", "e", "f"}));
}

TEST(DelimiterRows, PlacesBehindARowAreThoseOfTheDocument) {
  DelimiterRows rows("a|b\n-|-\nc|d\n");
  const std::string text = rows.widened();
  EXPECT_EQ(rows.place(text.find('c')), 8U);
  EXPECT_EQ(rows.place(0), 0U);
  EXPECT_FALSE(rows.drop_text());
  rows.note_text({0, 2}, true);
  EXPECT_FALSE(rows.drop_text());
  rows.note_text({5, 6}, true);
  EXPECT_TRUE(rows.drop_text());
  EXPECT_EQ(rows.widened(), "a|b\n-|-\nc|d\n");
}

}  // namespace
}  // namespace ventris::markup
