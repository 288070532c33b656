#include "markup/grid_tables.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "markup/markdown.h"
#include "support/errors.h"

namespace ventris::markup {
namespace {

/// The texts of the cells.
std::vector<std::string> texts_of_cells(const std::string& document) {
  std::vector<std::string> texts;
  const MarkedDocument parsed = parse_markdown(document);
  const size_t cells = parsed.beside.empty() ? 0 : parsed.beside.front().blocks;
  for (size_t i = parsed.blocks.size() - cells; i < parsed.blocks.size(); ++i)
    texts.push_back(parsed.blocks[i].text.text);
  return texts;
}

std::string with_translations(const std::string& document, const std::vector<std::string>& translations) {
  return parse_markdown(document).beside.at(0).put(document, translations);
}

const std::string kGrid =
    "+------+-----:+\n| A    | - b  |\n| dog  | - c  |\n+======+======+\n| 1    | two  |\n+------+------+\n";

TEST(GridTables, HaveTheTextsOfTheirCells) {
  EXPECT_EQ(texts_of_cells("a\n\n" + kGrid + "\nb\n"), (std::vector<std::string>{"A dog", "b", "c", "two"}));
  EXPECT_EQ(texts_of_cells("> +---+\n> | a |\n> +---+\n"), std::vector<std::string>{"a"});
}

TEST(GridTables, AreDrawnAsWideAsTheTranslationsNeedIt) {
  EXPECT_EQ(
      with_translations("a\n\n" + kGrid + "b\n", {"Ein Hund", "b", "d", "zwei"}),
      "a\n\n+----------+-----:+\n| Ein Hund | - b  |\n|          | - d  |\n+==========+======+\n| 1        | zwei |\n"
      "+----------+------+\nb\n");
  EXPECT_EQ(with_translations("- x\n\n  +---+\n  | a |\n  +---+\n", {"\u4F60\u597D"}),
            "- x\n\n  +------+\n  | \u4F60\u597D |\n  +------+\n")
      << "Chinese signs are twice as wide";
  EXPECT_EQ(with_translations(kGrid, {"A dog", "b", "c", "two"}), kGrid) << "without a change, lines stay";
}

TEST(GridTables, WithCellsOverSeveralColumnsAndOtherLinesHaveNoTexts) {
  for (const std::string document :
       {"+---+---+\n| a b   |\n+---+---+\n", "+---+---+\n| a | b |\n+---+   +\n| c |   |\n+---+---+\n",
        "+---+\n| a |\n", "+---+\n| a  |\n+---+\n", "```\n+---+\n| a |\n+---+\n```\n",
        "<pre>\n+---+\n| a |\n+---+\n</pre>\n", "+ - +\n"}) {
    EXPECT_EQ(texts_of_cells(document), std::vector<std::string>{}) << document;
  }
}

TEST(GridTables, HideNothingBehindThem) {
  for (const std::string border : {"+---+", "+---+ ", "+---+   "}) {
    for (const std::string last : {"+---+", "+---+  ", "+-----+", "+-+-+"}) {
      const MarkedDocument parsed = parse_markdown("a\n\n" + border + "\n| b |\n" + last + "\n\nc\n\nd\n");
      std::vector<std::string> texts;
      for (const Block& block : parsed.blocks) texts.push_back(block.text.text);
      for (const char* text : {"a", "c", "d"}) {
        EXPECT_EQ(std::ranges::count(texts, text), 1) << text << " with " << border << " and " << last;
      }
    }
  }
}

TEST(GridTables, DoNotMultiplyTheDocument) {
  std::string document = "+---+\n";
  for (int i = 0; i < 20'000; ++i) document += "| a |\n";
  document += "+---+\n";
  for (int i = 0; i < 20'000; ++i) document += "| b |\n+---+\n";
  std::vector<std::string> translations(texts_of_cells(document).size(), "b c");
  translations.front() = std::string(80'000, 'x');
  EXPECT_FAILS(with_translations(document, translations), MarkupError, "line 1: a table has rows far longer than");
}

TEST(GridTables, EndWithTheirLastBorder) {
  EXPECT_EQ(end_of_grid_table("+-+\n|a|\n+-+\n|b\nc", 0, 0), 11U);
  EXPECT_EQ(end_of_grid_table("a\n+-+", 2, 2), std::string_view::npos);
}

}  // namespace
}  // namespace ventris::markup
