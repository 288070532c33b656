#include "markup/markdown_tables.h"

#include <gtest/gtest.h>

#include "support/in_capitals.h"

namespace ventris::markup {
namespace {

using Texts = std::vector<std::string>;

std::string widened(const std::string& document) { return std::string(WidenedTables(document).text()); }

Texts texts(const std::string& document) {
  Texts all;
  for (const Block& block : parse_markup(document, Markup::kMarkdown).blocks) all.push_back(block.text.text);
  return all;
}

TEST(WidenedTables, EachCellOfADelimiterRowHasThreeHyphens) {
  EXPECT_EQ(widened("|a|b|\n|-|:-:|\n|c|d|\n"), "|a|b|\n|---|:---:|\n|c|d|\n");
  EXPECT_EQ(widened("a | b\r\n-- | -:\r\n"), "a | b\r\n--- | ---:\r\n");
  EXPECT_EQ(widened("> |a|\n> | - |"), "> |a|\n> | --- |");
}

TEST(WidenedTables, OtherLinesStay) {
  for (const std::string line : {"a\n-", "a\n--\n", "- | -", "|a-|-|", "| - a |", "|---|:---|", "| |-|", ":-", "||", ""}) {
    const WidenedTables tables(line);
    EXPECT_FALSE(tables.changed()) << line;
    EXPECT_EQ(tables.text(), line);
  }
}

TEST(WidenedTables, APlaceIsThatInTheDocument) {
  const std::string document = "x\n|-|--|\ny";
  const WidenedTables tables(document);
  ASSERT_EQ(tables.text(), "x\n|---|---|\ny");
  std::string found;
  for (size_t at = 0; at <= tables.text().size(); ++at) found += std::to_string(tables.place(at)) + " ";
  EXPECT_EQ(found, "0 1 2 3 4 4 4 5 6 7 7 8 9 10 ");
}

TEST(WidenedTables, ShortDelimiterRowsMakeTables) {
  for (const std::string row : {"|-|-|", "|:-|-:|", "|:-:|:-:|", "-|-", ":-:|-", "| - | -- |", "|-|-", " | - | - | "}) {
    EXPECT_EQ(texts("|a|b|\n" + row + "\n|c|d|\n"), (Texts{"a", "b", "c", "d"})) << row;
    EXPECT_EQ(in_capitals("x\n\n|a|b|\n" + row + "\n|c|d|\n\ny\n", Markup::kMarkdown),
              "X\n\n|A|B|\n" + row + "\n|C|D|\n\nY\n");
  }
  EXPECT_EQ(texts("> |a|b|\n> |-|-|\n> |c|d|\n"), (Texts{"a", "b", "c", "d"}));
  EXPECT_EQ(texts("- |a|b|\n  |-|-|\n  |c|d|\n"), (Texts{"a", "b", "c", "d"}));
}

TEST(WidenedTables, CodeAndTextKeepTheirHyphens) {
  for (const std::string document : {"```\n|a|b|\n|-|-|\n```\nx\n", "    |a|b|\n    |-|-|\n\nx\n", "<pre>\n|-|-|\n</pre>\n",
                                     "x\n\n`|a|\n|-|\n`\n"}) {
    std::string expected = document;
    std::ranges::replace(expected, 'x', 'X');
    EXPECT_EQ(in_capitals(document, Markup::kMarkdown), expected);
  }
  EXPECT_EQ(texts("\n|-|-|\n*b*"), Texts{"|-|-| b"});
}

}  // namespace
}  // namespace ventris::markup
