#include "markup/markdown_structure.h"

#include <gtest/gtest.h>

#include <string>

namespace ventris::markup {
namespace {

/// Whether `now` may stand in the place of `before`, if the translation turns "dog" into "Hund".
bool may_become(const std::string& before, const std::string& now) {
  const auto source = markdown_leaves(before), target = markdown_leaves(now);
  if (source.size() != target.size()) return false;
  for (size_t i = 0; i < source.size(); ++i) {
    const bool translated = source[i].characters != target[i].characters;
    const uint64_t difference = translated ? characters_of("Hund") - characters_of("dog") : 0;
    if (!source[i].may_become(target[i], difference)) return false;
  }
  return true;
}

TEST(CharactersOf, ATextDoesNotDependOnOrderAndSpaces) {
  EXPECT_EQ(characters_of("a b\u00FC"), characters_of("\u00FC\nba"));
  EXPECT_NE(characters_of("ab"), characters_of("aa"));
  EXPECT_EQ(characters_of(" \uFFFC"), 0U);
  EXPECT_EQ(characters_of("ab") - characters_of("b"), characters_of("a"));
}

TEST(MarkdownLeaves, AreTheTextsOfADocument) {
  EXPECT_EQ(markdown_leaves("# a\n\nb *c*\nd\n\n| e | f |\n|---|---|\n| g | h |\n").size(), 7U);  // with the end
  const auto leaves = markdown_leaves("a *b* **c** ~d~");
  EXPECT_EQ(leaves[0].emphasis, 1);
  EXPECT_EQ(leaves[0].strong, 1);
  EXPECT_EQ(leaves[0].strike, 1);
  EXPECT_EQ(leaves[0].range.begin, 0U);
  EXPECT_EQ(leaves[0].range.end, 14U);
}

TEST(MarkdownLeaf, MayBecomeATranslationWithLessEmphasis) {
  EXPECT_TRUE(may_become("the *big* dog", "*big* the Hund"));
  EXPECT_TRUE(may_become("the *big* dog", "the big Hund"));
  EXPECT_TRUE(may_become("a\nb", "b a"));
  EXPECT_TRUE(may_become("a `x` [dog](u)", "[Hund](u) `x` a"));
}

TEST(MarkdownLeaf, MayHaveTagsOfTemplatesApartThatTouched) {
  EXPECT_TRUE(may_become("{{#a}}x {{#b}}dog{{/b}}{{/a}}", "{{#a}}{{#b}}Hund{{/b}} x{{/a}}"));
  EXPECT_FALSE(may_become("{{#a}}x {{#b}}dog{{/b}}{{/a}}", "{{#a}}{{#b}}Hund{{/b}} x"));
}

TEST(MarkdownLeaves, SettingsAtTheBeginningAreNoMarkdown) {
  EXPECT_EQ(markdown_leaves("---\na: <!--\n---\n\nb\n\nc\n").size(), 3U);
}

TEST(MarkdownLeaves, ALeafWithAnotherBlockLeavesTheNextOneAlone) {
  const auto before = markdown_leaves("a\n\nb\n"), after = markdown_leaves("# a\n\nb\n");
  EXPECT_FALSE(before[0].may_become(after[0], 0));
  EXPECT_TRUE(before[1].may_become(after[1], 0));
}

TEST(MarkdownLeaf, MayNotLoseOrGetAnythingElse) {
  EXPECT_FALSE(may_become("a dog", "a *Hund*"));
  EXPECT_FALSE(may_become("a *dog*", "a \\*Hund\\*"));
  EXPECT_FALSE(may_become("a dog", "a Hund cat"));
  EXPECT_FALSE(may_become("a `x`", "a"));
  EXPECT_FALSE(may_become("a `x`", "a `y`"));
  EXPECT_FALSE(may_become("[a](u)", "[a](v)"));
  EXPECT_FALSE(may_become("![a](u)", "![b](u)"));
  EXPECT_FALSE(may_become("a <b>x</b>", "a <i>x</i>"));
  EXPECT_FALSE(may_become("a  \nb", "a b"));
  EXPECT_FALSE(may_become("a\n\nb", "a b"));
  EXPECT_FALSE(may_become("# a", "## a"));
  EXPECT_FALSE(may_become("- a", "+ a\n- "));
  EXPECT_FALSE(may_become("- [ ] a", "- [x] a"));
  EXPECT_FALSE(may_become("```\na\n```\nb", "```\nc\n```\nb"));
}

}  // namespace
}  // namespace ventris::markup
