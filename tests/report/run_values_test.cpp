#include "report/run_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "support/small_run.h"

namespace ventris::report {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::Pair;

constexpr const char* kDash = "\u2013";

/// "best BLEU: 25.00" for each value.
std::vector<std::string> told(const std::vector<FinalValue>& values) {
  std::vector<std::string> all;
  for (const FinalValue& value : values) all.push_back(value.label + ": " + value.text);
  return all;
}

TEST(LastOf, IsTheNewestLineOfItsKind) {
  const RunData run = test::small_run();
  EXPECT_EQ(last_of(run, "train")->at("updates"), 600);
  EXPECT_EQ(last_of(run, "valid")->at("updates"), 600);
  EXPECT_EQ(last_of(run, "averaged"), nullptr);
  EXPECT_EQ(last_of(RunData{}, "train"), nullptr);
}

TEST(BestOf, IsTheLastValidationThatWasTheBest) {
  RunData run = test::small_run();
  EXPECT_EQ(best_of(run)->at("updates"), 500);
  for (json& line : run.metrics) line.erase("best");
  EXPECT_EQ(best_of(run), nullptr);
}

TEST(FurtherCorpora, AreAllThatAnyValidationMeasured) {
  RunData run = test::small_run();
  EXPECT_TRUE(further_corpora(run).empty());
  run.metrics.push_back({{"kind", "valid"}, {"further", {{"news", {{"loss", 2}}}, {"talks", {{"loss", 3}}}}}});
  run.metrics.push_back({{"kind", "valid"}, {"further", {{"flores", {{"loss", 4}}}}}});
  run.metrics.push_back({{"kind", "averaged"}, {"further", {{"other", {{"loss", 4}}}}}});
  run.metrics.push_back({{"kind", "valid"}, {"further", "damaged"}});
  EXPECT_THAT(further_corpora(run), ElementsAre("flores", "news", "talks"));
}

TEST(OfFurtherCorpus, IsNullWhereAValidationDidNotMeasureIt) {
  const json line{{"further", {{"news", {{"loss", 2}}}}}};
  EXPECT_EQ(of_further_corpus(line, "news").at("loss"), 2);
  EXPECT_TRUE(of_further_corpus(line, "talks").is_null());
  EXPECT_TRUE(of_further_corpus(json::object(), "news").is_null());
  const json damaged{{"further", "no object"}};
  EXPECT_TRUE(of_further_corpus(damaged, "news").is_null());
}

TEST(NumberOrNan, IsNoNumberWhereThereIsNone) {
  const json line{{"a", 1.5}, {"b", nullptr}, {"c", "text"}};
  EXPECT_EQ(number_or_nan(line, "a"), 1.5);
  for (const char* key : {"b", "c", "d"}) EXPECT_TRUE(std::isnan(number_or_nan(line, key))) << key;
}

TEST(Fixed, HasAsManyDigitsAsAskedForUnlessTheValueIsHuge) {
  const json line{{"a", 0.12345}, {"b", -2.5e9}, {"c", nullptr}};
  EXPECT_EQ(fixed(line, "a", 3), "0.123");
  EXPECT_EQ(fixed(line, "a", 0), "0");
  EXPECT_EQ(fixed(line, "b", 2), "-2.500e+09");
  EXPECT_EQ(fixed(line, "c", 2), kDash);
  EXPECT_EQ(fixed(line, "d", 2), kDash);
}

TEST(Count, IsGrouped) {
  const json line{{"a", 1234567}, {"b", 1e20}, {"c", nullptr}};
  EXPECT_EQ(count(line, "a"), "1,234,567");
  EXPECT_EQ(count(line, "b"), kDash);
  EXPECT_EQ(count(line, "c"), kDash);
}

TEST(FinalValues, AreWhatARunHasReached) {
  EXPECT_THAT(told(final_values(test::small_run())),
              ElementsAre("updates: 600", "epoch: 7", "target tokens: 1.8 M", "h:min trained: 1:00",
                          "training loss: 1.810", "tokens per second: 7,500", "best BLEU: 25.00",
                          "perplexity of the best model: 7.49", "update of the best model: 500"));
}

TEST(FinalValues, OfAClassifierHaveItsAccuracyAndOfOtherModelsOnlyThePerplexity) {
  RunData run = test::small_run();
  for (json& line : run.metrics) {
    line.erase("bleu");
    line.erase("chrf");
  }
  EXPECT_THAT(told(final_values(run)), testing::Contains("best perplexity: 7.49"));
  for (json& line : run.metrics) {
    if (line.at("kind") == "valid") line["accuracy"] = 0.5;
  }
  run.metrics.push_back({{"kind", "averaged"}, {"updates", 600}, {"accuracy", 0.75}});
  const auto all = told(final_values(run));
  for (const char* text :
       {"best accuracy: 0.5000", "perplexity of the best model: 7.49", "accuracy of the average: 0.7500"}) {
    EXPECT_THAT(all, testing::Contains(text));
  }
}

TEST(FinalValues, SayWhichDirectionIsBetter) {
  for (const FinalValue& value : final_values(test::small_run())) {
    const int expected = value.label == "best BLEU" ? 1 : value.label == "perplexity of the best model" ? -1 : 0;
    EXPECT_EQ(value.better, expected) << value.label;
  }
}

TEST(FinalValues, LeaveOutWhatIsMissing) {
  EXPECT_TRUE(final_values(RunData{}).empty());
  RunData run;
  run.metrics.push_back({{"kind", "train"}, {"updates", 3}, {"loss", nullptr}});
  EXPECT_THAT(told(final_values(run)), ElementsAre("updates: 3"));
}

TEST(FlatSettings, HaveNamesWithPoints) {
  const json settings{
      {"schedule", {{"warmup_updates", 100}, {"inner", {{"on", true}}}}}, {"log", ""}, {"files", {"a"}}};
  EXPECT_THAT(flat_settings(settings),
              ElementsAre(Pair("files", "[\"a\"]"), Pair("log", kDash), Pair("schedule.inner.on", "true"),
                          Pair("schedule.warmup_updates", "100")));
}

TEST(Shown, ReplacesAnEmptyText) {
  EXPECT_EQ(shown("x", "(empty)"), "x");
  EXPECT_EQ(shown("", "(empty)"), "(empty)");
}

}  // namespace
}  // namespace ventris::report
