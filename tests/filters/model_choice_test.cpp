#include "filters/model_choice.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "filters/score_settings.h"
#include "filters/settings.h"
#include "support/errors.h"

namespace ventris::filters {
namespace {

using nlohmann::json;

/// Both programs read the settings of their models in the same way.
ModelChoice parse(const json& source) {
  const ModelChoice choice = ScoreSettings::parse(source).model;
  const ModelChoice other = TranslateSettings::parse(source, {}).model;
  EXPECT_EQ(choice.paths, other.paths);
  EXPECT_EQ(choice.weights, other.weights);
  return choice;
}

/// What is written for these settings under `key`.
json written(const json& source, const char* key) { return ScoreSettings::parse(source).to_json().at(key); }

TEST(ModelChoice, IsATextOrAListOfTexts) {
  EXPECT_TRUE(parse(json::object()).paths.empty());
  EXPECT_TRUE(parse({{"model", ""}}).paths.empty());
  EXPECT_EQ(parse({{"model", "a"}}).paths, std::vector<std::string>{"a"});
  EXPECT_EQ(parse({{"model", {"a", "b", "a"}}}).paths, (std::vector<std::string>{"a", "b", "a"}));
}

TEST(ModelChoice, OneModelIsWrittenAsAText) {
  EXPECT_EQ(written(json::object(), "model"), "");
  EXPECT_EQ(written({{"model", {"a"}}}, "model"), "a");
  EXPECT_EQ(written({{"model", {"a", "b"}}}, "model"), json::array({"a", "b"}));
  EXPECT_EQ(written({{"model", {"a", "b"}}, {"weights", {0.7, 0.3}}}, "weights"), json::array({0.7, 0.3}));
  EXPECT_EQ(written({{"combine", "log-probs"}}, "combine"), "log-probs");
}

TEST(ModelChoice, ProbabilitiesAndEqualWeightsAreTheDefault) {
  const auto ensemble = parse({{"model", {"a", "b"}}}).ensemble();
  EXPECT_TRUE(ensemble.weights.empty());
  EXPECT_EQ(ensemble.combination, decoding::Combination::kProbs);
  EXPECT_EQ(parse({{"combine", "log-probs"}}).ensemble().combination, decoding::Combination::kLogProbs);
}

TEST(ModelChoice, MistakesAreNamed) {
  EXPECT_FAILS(parse({{"model", 3}}), ConfigError, "model: expected a text or a list of texts, got 3");
  EXPECT_FAILS(parse({{"model", {"a", 3}}}), ConfigError, "model: expected a list of texts, got [\"a\",3]");
  EXPECT_FAILS(parse({{"model", {"a", ""}}}), ConfigError, "model: expected the path of a model, got an empty text");
  EXPECT_FAILS(parse({{"model", {"a", "b"}}, {"weights", {1}}}), ConfigError,
               "weights: expected one for each model (2), got 1");
  EXPECT_FAILS(parse({{"model", "a"}, {"weights", {1, 1}}}), ConfigError,
               "weights: expected one for each model (1), got 2");
  EXPECT_FAILS(parse({{"weights", "0.5"}}), ConfigError, "weights: expected a list of numbers, got \"0.5\"");
  for (const double weight : {0.0, -0.5, std::numeric_limits<double>::infinity()}) {
    EXPECT_FAILS(parse({{"model", {"a", "b"}}, {"weights", {1.0, weight}}}), ConfigError,
                 "weights: each must be a number over 0, got ");
  }
  for (const double weight : {1e-60, 1e60}) {
    EXPECT_FAILS(parse({{"model", {"a", "b"}}, {"weights", {1.0, weight}}}), ConfigError,
                 "is next to nothing beside the others; leave its model out");
  }
  EXPECT_FAILS(parse({{"combine", "mean"}}), ConfigError, "combine: expected one of probs, log-probs; got 'mean'");
}

TEST(ModelChoice, NoFileOfAModelIsOverwritten) {
  const ModelChoice choice = parse({{"model", {"a", "b"}}});
  EXPECT_NO_THROW(check_output(choice, "-"));
  EXPECT_NO_THROW(check_output(choice, "c/out"));
  EXPECT_FAILS(check_output(choice, "b/out"), ConfigError, "is a file of the model b");
}

}  // namespace
}  // namespace ventris::filters
