#include "encoding/fill_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/tiny_bert.h"

namespace ventris::encoding {
namespace {

using nlohmann::json;

class FillFile : public testing::Test {
 protected:
  FillFile() { test::write_tiny_bert(folder.path("model")); }
  std::string filled(const std::string& text, FillOptions options = {}) const {
    options.model = folder.path("model");
    options.lines.input = folder.file("in.txt", text);
    options.lines.output = folder.path("out");
    fill_file(options);
    return test::file_bytes(folder.path("out"));
  }

  test::TempFolder folder;
};

TEST_F(FillFile, WordsOfAMaskAreSeparatedByTabsAndMasksByBars) {
  const std::string one = filled("The [MASK] man\n", {.n_best = 3}),
                    two = filled("[MASK] likes [MASK].\n", {.n_best = 1});
  EXPECT_EQ(std::ranges::count(one, '\t'), 2);
  EXPECT_EQ(one.find("|||"), std::string::npos);
  EXPECT_EQ(std::ranges::count(two, '\t'), 0);
  EXPECT_NE(two.find(" ||| "), std::string::npos);
}

TEST_F(FillFile, TextHasTheWordsAndRoundedProbabilitiesOfJson) {
  const std::string text = filled("The [MASK] man\n", {.n_best = 1});
  const json line = json::parse(filled("The [MASK] man\n", {.n_best = 1, .format = FillFormat::kJsonl}));
  const json word = line.at("masks").at(0).at(0);
  EXPECT_TRUE(text.starts_with(word.at("word").get<std::string>() + " "));
  EXPECT_NEAR(std::stod(text.substr(text.rfind(' '))), word.at("probability").get<double>(), 5e-5);
  EXPECT_EQ(line.at("text"), "The [MASK] man");
}

TEST_F(FillFile, ALineWithoutAMaskIsEmpty) {
  EXPECT_EQ(filled("no hidden word\n\n"), "\n\n");
  EXPECT_EQ(json::parse(filled("bread\n", {.format = FillFormat::kJsonl})),
            json({{"id", 0}, {"text", "bread"}, {"masks", json::array()}, {"cut", false}}));
}

TEST_F(FillFile, TheNumberOfWordsIsFrom1To100) {
  EXPECT_FAILS(filled("", {.n_best = 0}), ConfigError, "--n-best: must be from 1 to 100, got 0");
  EXPECT_FAILS(filled("", {.n_best = 101}), ConfigError, "--n-best: must be from 1 to 100, got 101");
  const auto words = test::tiny_bert_tokenizer().size() - 5;  // without special pieces and [MASK]
  EXPECT_EQ(std::ranges::count(filled("[MASK]\n", {.n_best = 100}), '\t') + 1, words) << "fewer than 100 are known";
}

}  // namespace
}  // namespace ventris::encoding
