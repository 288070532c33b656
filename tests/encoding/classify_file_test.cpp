#include "encoding/classify_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/tiny_classifier.h"

namespace ventris::encoding {
namespace {

using nlohmann::json;

class ClassifyFile : public testing::Test {
 protected:
  ClassifyFile() { test::write_tiny_classifier(folder.path("model")); }
  std::string classified(const std::string& text, ClassifyOptions options = {}) const {
    options.model = folder.path("model");
    options.lines.input = folder.file("in.txt", text);
    if (options.lines.output == "-") options.lines.output = folder.path("out.txt");
    classify_file(options);
    return test::file_bytes(options.lines.output);
  }

  test::TempFolder folder;
};

TEST_F(ClassifyFile, TheBestLabelsAreThoseOfTheWholeList) {
  const json line = json::parse(classified("bread\n", {.format = ClassifyFormat::kJsonl}));
  ASSERT_EQ(line.at("labels").size(), 3U);
  EXPECT_EQ(line.at("label"), line.at("labels").at(0).at("label"));
  double sum = 0;
  for (const json& one : line.at("labels")) sum += one.at("probability").get<double>();
  EXPECT_NEAR(sum, 1, 1e-5);
  const std::string best = line.at("label");
  EXPECT_EQ(classified("bread\n"), best + "\n");
  const std::string two = classified("bread\n", {.n_best = 2});
  EXPECT_TRUE(two.starts_with(best + " 0.")) << two;
  EXPECT_EQ(std::ranges::count(two, '\t'), 1);
  EXPECT_EQ(std::ranges::count(classified("bread\n", {.n_best = 9}), '\t'), 2) << "there are three labels";
}

TEST_F(ClassifyFile, ABlankLineHasNoLabel) {
  EXPECT_EQ(classified(" \n", {.n_best = 2}), "\n");
  EXPECT_EQ(json::parse(classified("\n", {.format = ClassifyFormat::kJsonl})),
            json({{"id", 0}, {"text", ""}, {"label", nullptr}, {"labels", json::array()}, {"cut", false}}));
}

TEST_F(ClassifyFile, ALabelInTheInputIsNotPartOfTheText) {
  const json line = json::parse(classified("people\tbread\n", {.gold = true, .format = ClassifyFormat::kJsonl}));
  EXPECT_EQ(line.at("text"), "bread");
  EXPECT_EQ(line.at("gold"), "people");
  json without = json::parse(classified("bread\n", {.format = ClassifyFormat::kJsonl}));
  EXPECT_EQ(line.at("labels"), without.at("labels"));
}

TEST_F(ClassifyFile, TheConfusionHasARowForEachLabelOfTheInput) {
  std::string best = classified("bread\n");
  best.pop_back();
  const std::string input = "food\tbread\npeople\tbread\nweather\tbread\nweather\tbread\nfood\t\n";
  const json summary =
      json::parse(classified(input, {.gold = true, .summary = true, .format = ClassifyFormat::kJsonl}));
  const std::vector<std::string> labels{"food", "people", "weather"};
  const std::vector<int> counts{1, 1, 2};
  const auto column = static_cast<size_t>(std::ranges::find(labels, best) - labels.begin());
  for (size_t row = 0; row < 3; ++row) {
    for (size_t i = 0; i < 3; ++i) EXPECT_EQ(summary.at("confusion").at(row).at(i), i == column ? counts[row] : 0);
  }
  EXPECT_EQ(summary.at("texts"), 4);
  EXPECT_EQ(summary.at("blank"), 1);
  EXPECT_DOUBLE_EQ(summary.at("accuracy"), counts[column] / 4.0);
}

TEST_F(ClassifyFile, FlagsThatDoNotFitAreNamed) {
  EXPECT_FAILS(classified("", {.n_best = -1}), ConfigError, "--n-best: must be at least 0, got -1");
  EXPECT_FAILS(classified("", {.summary = true}), ConfigError, "--summary: needs --gold");
  EXPECT_FAILS(classified("", {.lines = {.output = folder.path("model/config.json")}}), ConfigError, "config.json");
  EXPECT_FAILS(classified("rain\tman\n", {.gold = true}), DataError,
               "in.txt:1: the label 'rain' is not a label of the model, which has food, people, weather");
  EXPECT_FAILS(classified("bread\n", {.gold = true}), DataError, "in.txt:1: expected 2 columns separated by TABs");
}

}  // namespace
}  // namespace ventris::encoding
