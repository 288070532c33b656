#include "documents/markdown_keeper.h"

#include <gtest/gtest.h>

namespace ventris::documents {
namespace {

/// A document of one block, whose translation is `usual` or `strict`.
struct OneBlock {
  std::string document, usual, strict;
  std::string text;  // of the translation, if it is not `usual`

  std::string write() {
    const std::vector<MarkdownBlock> blocks{{"", {0, document.size()}, 0, 1, {"", ""}, markup::characters_of(source)}};
    MarkdownKeeper keeper(document, blocks, after, [&](size_t, Care asked) {
      return PlacedText{asked == Care::kStrict ? strict : usual, text};
    });
    const std::string written = keeper.write();
    care = keeper.care(0);
    return written;
  }

  std::string source = "dog";  // the characters of the document that were translated
  std::string after = {};
  Care care = Care::kUsual;
};

TEST(MarkdownKeeper, ATranslationWithTheSameStructureIsWritten) {
  OneBlock block{"a *dog*", "a *Hund*", "a Hund", "Hund"};
  EXPECT_EQ(block.write(), "a *Hund*");
  EXPECT_EQ(block.care, Care::kUsual);
}

TEST(MarkdownKeeper, WhatWouldBeASignIsWrittenStrictly) {
  OneBlock block{"a *dog*", "a *Hund *", "a Hund", "Hund"};
  EXPECT_EQ(block.write(), "a Hund");
  EXPECT_EQ(block.care, Care::kStrict);
}

TEST(MarkdownKeeper, CodeThatWouldBecomeATagLeavesTheSource) {
  const std::string source = "dog `<script>` x\\`";
  OneBlock block{source, "x` Hund `<script>`", "` Hund `<script>` x", "Hund"};
  EXPECT_EQ(block.write(), source);
  EXPECT_EQ(block.care, Care::kSource);
}

TEST(MarkdownKeeper, ABlockThatWouldSwallowTheNextOneLeavesTheSource) {
  OneBlock block{"dog", "```\nHund", "```\nHund", "Hund"};
  block.after = "\n\n# next\n";
  block.document += block.after;
  const std::vector<MarkdownBlock> blocks{{"", {0, 3}, 0, 1, {"", ""}, markup::characters_of("dog")}};
  MarkdownKeeper keeper(block.document, blocks, block.after,
                        [&](size_t, Care) { return PlacedText{"```\nHund", "Hund"}; });
  EXPECT_EQ(keeper.write(), block.document);
  EXPECT_EQ(keeper.care(0), Care::kSource);
}

TEST(MarkdownKeeper, OnlyTheBlockThatIsDifferentLeavesItsSource) {
  const std::string document = "one\n\ntwo\n\nthree\n";
  const std::vector<MarkdownBlock> blocks{{"", {0, 3}, 0, 1, {"", ""}, markup::characters_of("one")},
                                          {"\n\n", {5, 8}, 1, 2, {"", ""}, markup::characters_of("two")},
                                          {"\n\n", {10, 15}, 2, 3, {"", ""}, markup::characters_of("three")}};
  const std::vector<std::string> written{"eins", "*zwei*", "drei"}, texts{"eins", "zwei", "drei"};
  const std::string after = "\n";
  MarkdownKeeper keeper(document, blocks, after, [&](size_t i, Care) { return PlacedText{written[i], texts[i]}; });
  EXPECT_EQ(keeper.write(), "eins\n\ntwo\n\ndrei\n");
}

TEST(MarkdownKeeper, ABlockThatBecomesTwoLeavesItsSourceAndTheOthersTheirTranslation) {
  std::string document;
  std::vector<MarkdownBlock> blocks;
  for (size_t i = 0; i < 50; ++i) {
    const size_t begin = document.size() + (i == 0 ? 0 : 2);
    document += i == 0 ? "one" : "\n\none";
    blocks.push_back({i == 0 ? "" : "\n\n", {begin, begin + 3}, i, i + 1, {"", ""}, markup::characters_of("one")});
  }
  const std::string after;
  MarkdownKeeper keeper(document, blocks, after, [&](size_t i, Care) {
    return i % 10 == 5   ? PlacedText{"ei\n\nns", "eins"}
           : i % 10 == 7 ? PlacedText{"*eins*", "eins"}
                         : PlacedText{"eins", "eins"};
  });
  const std::string result = keeper.write();
  for (size_t i = 0; i < 50; ++i) {
    EXPECT_EQ(keeper.care(i), i % 10 == 5 || i % 10 == 7 ? Care::kSource : Care::kUsual) << i << result;
  }
}

TEST(MarkdownKeeper, IfABlockIsDifferentBecauseOfAnotherOneOnlyThoseAroundItLeaveTheirSource) {
  constexpr size_t kBlocks = 40, kTarget = 20, kLink = 22;
  std::string document;
  std::vector<MarkdownBlock> blocks;
  for (size_t i = 0; i < kBlocks; ++i) {
    const size_t begin = document.size() + (i == 0 ? 0 : 2);
    document += std::string(i == 0 ? "" : "\n\n") + (i == kLink ? "[a]" : "one");
    blocks.push_back({i == 0 ? "" : "\n\n", {begin, document.size()}, i, i + 1, {"", ""}});
    blocks.back().characters = markup::characters_of(document.substr(begin));
  }
  const std::string after;
  MarkdownKeeper keeper(document, blocks, after, [&](size_t i, Care) {
    return i == kTarget ? PlacedText{"[a]: /u\n\neins", "eins"}
           : i == kLink ? PlacedText{"[a]", "[a]"}
                        : PlacedText{"eins", "eins"};
  });
  EXPECT_NE(keeper.write().find("eins"), std::string::npos);
  for (size_t i = 0; i < kBlocks; ++i) {
    EXPECT_EQ(keeper.care(i) == Care::kSource, i >= kTarget && i <= kLink + 2) << i;
  }
}

TEST(MarkdownKeeper, OnlyALinkWithoutWordsMayBeMissing) {
  const std::string document = "a [dog](u)", after;
  const std::vector<MarkdownBlock> blocks{{"", {0, document.size()}, 0, 1, {"", ""}, markup::characters_of("dog")}};
  uint64_t link = 0;
  for (const markup::MarkdownLeaf& leaf : markup::markdown_leaves(document)) link += leaf.links;
  const auto written = [&](uint64_t left_out) {
    MarkdownKeeper keeper(document, blocks, after,
                          [&](size_t, Care) { return PlacedText{"a Hund", "Hund", left_out}; });
    const std::string text = keeper.write();
    EXPECT_EQ(keeper.lacks_link(0), left_out == link && text == "a Hund");
    return text;
  };
  EXPECT_EQ(written(link), "a Hund");
  EXPECT_EQ(written(0), document);
  EXPECT_EQ(written(link + 1), document);
}

TEST(MarkdownKeeper, ABlockWhoseTranslationIsBlankLeavesItsSource) {
  const std::string document = "[dog](u)", after;
  const std::vector<MarkdownBlock> blocks{
      {"", {0, document.size()}, 0, 1, {"[", "](u)"}, markup::characters_of("dog")}};
  MarkdownKeeper keeper(document, blocks, after, [](size_t, Care) { return PlacedText{" ", " "}; });
  EXPECT_EQ(keeper.write(), document) << "and not [](u)";
  EXPECT_EQ(keeper.care(0), Care::kSource);
}

TEST(MarkdownKeeper, ADocumentWithoutBlocksStays) {
  const std::string document = "***\n";
  const std::vector<MarkdownBlock> none;
  EXPECT_EQ(MarkdownKeeper(document, none, document, {}).write(), document);
}

}  // namespace
}  // namespace ventris::documents
