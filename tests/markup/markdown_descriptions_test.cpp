#include "markup/markdown_descriptions.h"

#include <gtest/gtest.h>

namespace ventris::markup {
namespace {

using Texts = std::vector<std::string>;

Texts descriptions_in(const std::string& document) {
  Texts found;
  for (const MarkdownDescription& one : markdown_descriptions(document)) found.push_back(one.text);
  return found;
}

TEST(MarkdownDescriptions, ThoseOfImagesAndTitlesAreFound) {
  EXPECT_EQ(
      descriptions_in("a ![a red dog](d.png) ![b\nc](<d e> 'f g') [h](i \"j \\\"k\\\" &amp;\") ![l][m]\n\n[m]: n 'o'"),
      (Texts{"a red dog", "b c", "f g", "j \"k\" &", "l"}));
  EXPECT_EQ(descriptions_in("[![a *b*](c \"d\")](e (f))\n\n> ![g](h)"), (Texts{"a b", "d", "f", "g"}));
  EXPECT_EQ(descriptions_in("---\na: '![b](c)'\n---\n\n![d]({{ e }} \"f\")"), (Texts{"d", "f"}));
}

TEST(MarkdownDescriptions, ThoseWithCodeOrWithoutLettersAreNone) {
  EXPECT_EQ(descriptions_in("![a `b`](c) ![](d) ![12](e) ![f {{ g }}](h) ![[i]] `![j](k)` \\![l](m)"), Texts{});
  EXPECT_EQ(descriptions_in("<pre>\n![a](b)\n</pre>\n\n    ![c](d)"), Texts{});
}

TEST(MarkdownDescriptions, ALinkWithoutATargetBeforeAParenthesisHasNoTitle) {
  EXPECT_EQ(descriptions_in("see [a dog](the pet) here ![b](the \"c\" d)\n\n[a dog]: u\n[b]: v\n"), Texts{"b"});
}

TEST(MarkdownDescriptions, ALabelOfTwoLinesStays) {
  const std::string document = "> ![a\n> dog]\n\n[a dog]: u\n";
  EXPECT_EQ(with_descriptions(document, {{"a dog", "x"}}), document);
  EXPECT_EQ(with_descriptions("> ![a\n> dog](u)\n", {{"a dog", "x"}}), "> ![x](u)\n");
  EXPECT_EQ(with_descriptions("|a|\n|-|\n|![b](c)|\n", {{"b", "x | y"}}), "|a|\n|-|\n|![x \\| y](c)|\n");
}

TEST(MarkdownDescriptions, OtherTextsAreWrittenWithBackslashes) {
  const std::map<std::string, std::string> texts{{"a", "x [y] \"z\""}, {"b", "(w)"}, {"c", ""}};
  EXPECT_EQ(with_descriptions("![a](a \"a\") ![b](d 'a') [a](e (b)) ![c](f)", texts),
            "![x \\[y\\] \"z\"](a \"x \\[y\\] \\\"z\\\"\") ![(w)](d 'x \\[y\\] \"z\"') [a](e (b)) ![c](f)");
}

TEST(MarkdownDescriptions, TheNameOfATargetStays) {
  const std::map<std::string, std::string> texts{{"a dog", "x"}};
  EXPECT_EQ(with_descriptions("![a dog] ![a dog][] ![a dog][b]\n\n[a dog]: c\n[b]: d\n", texts),
            "![x][a dog] ![x][a dog] ![x][b]\n\n[a dog]: c\n[b]: d\n");
}

TEST(MarkdownDescriptions, AreBlocksBehindAllOthers) {
  MarkedDocument parsed =
      parse_markup("one ![two](a)\n\n![two](b \"three\")\n", Markup::kMarkdown, {.attributes = true});
  Texts texts;
  for (const Block& block : parsed.blocks) texts.push_back(block.text.text);
  ASSERT_EQ(texts, (Texts{"one \uFFFC", "two", "three"}));
  EXPECT_EQ(parsed.blocks.back().line, 3);
  ASSERT_EQ(parsed.beside.size(), 1U);
  EXPECT_EQ(parsed.beside[0].blocks, 2U);
  EXPECT_EQ(parsed.beside[0].put("x ![two](a)\n", {"y", "z"}), "x ![y](a)\n");
}

}  // namespace
}  // namespace ventris::markup
