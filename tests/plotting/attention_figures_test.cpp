#include "plotting/attention_figures.h"

#include <gtest/gtest.h>

#include <map>

#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/tiny_bundle.h"

namespace ventris::plotting {
namespace {

class AttentionFigures : public testing::Test {
 protected:
  AttentionFigures() { test::write_tiny_bundle(folder.path("model")); }
  std::map<std::string, std::string> figures(const std::string& source, const std::string& target = "bread") const {
    std::map<std::string, std::string> files;
    for (const auto& [name, svg] : attention_figures({folder.path("model"), source, target})) files[name] = svg;
    return files;
  }
  test::TempFolder folder;
};

TEST_F(AttentionFigures, ThereIsOneOfEachKindInEachLayer) {
  const auto files = figures("The old man");
  ASSERT_EQ(files.size(), 3U);
  EXPECT_NE(files.at("encoder-layer-1.svg").find("Encoder self-attention, layer 1"), std::string::npos);
  EXPECT_NE(files.at("decoder-layer-1.svg").find("Decoder self-attention, layer 1"), std::string::npos);
  EXPECT_NE(files.at("cross-layer-1.svg").find("Attention to the source, layer 1"), std::string::npos);
}

TEST_F(AttentionFigures, BytesThatAreNoUtf8AreReplaced) {
  const std::string svg = figures("The \xff man").at("encoder-layer-1.svg");
  EXPECT_EQ(svg.find('\xff'), std::string::npos);
  EXPECT_NE(svg.find("\uFFFD"), std::string::npos);
}

TEST_F(AttentionFigures, TheOwnTranslationMayBeCutAtTheLongestLength) {
  const auto files = figures("The old man", "");  // a model that has learnt nothing ends no sentence
  EXPECT_EQ(files.size(), 3U);
}

TEST_F(AttentionFigures, WhatCannotBeDrawnIsNamed) {
  EXPECT_FAILS(figures(""), DataError, "the source sentence: expected 1 to 15 tokens, found 0");
  std::string line;
  for (int i = 0; i < 30; ++i) line += "bread ";
  EXPECT_FAILS(figures(line), DataError, "the source sentence: expected 1 to 15 tokens, found ");
  EXPECT_FAILS(figures("bread", line), DataError, "the target sentence: expected 1 to 15 tokens, found ");
  EXPECT_FAILS(attention_figures({.model = folder.path("none"), .source = "a", .target = "b"}), ModelError, "none");
}

}  // namespace
}  // namespace ventris::plotting
