#include "run/run_reporter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/random_pairs.h"
#include "support/temp_folder.h"

namespace ventris::run {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;
using testing::HasSubstr;

class RunReporterTest : public testing::Test {
 protected:
  void SetUp() override { testing::internal::CaptureStderr(); }
  void TearDown() override { testing::internal::GetCapturedStderr(); }

  std::string log() {
    const std::string text = testing::internal::GetCapturedStderr();
    testing::internal::CaptureStderr();
    return text;
  }

  static ordered_json valid_line(int updates) {
    return {{"kind", "valid"},    {"updates", updates}, {"loss", 3.5}, {"nll", 3},
            {"perplexity", 20.1}, {"bleu", 5},          {"chrf", 20},  {"best", true}};
  }
  static ordered_json train_line(int updates) {
    return {{"kind", "train"},
            {"updates", updates},
            {"loss", 4.5},
            {"nll", 4},
            {"learning_rate", 0.001},
            {"gradient_norm", nullptr},
            {"target_tokens_per_second", 100}};
  }
  static ValidationResult result() {
    ValidationResult result;
    result.measures = {{"bleu", 5}, {"chrf", 20}};
    result.samples = {{"two dogs", "zwei Hunde", "zwei <Hunde>"}};
    model::SentenceAttention attention;
    attention.labels = {{"two", "</s>"}, {"<s>", "zwei"}, {"zwei", "</s>"}};
    attention.maps.cross = {{2, 2, 2, {1, 0, 0.5, 0.5, 0, 1, 0.5, 0.5}}};
    result.attention = attention;
    return result;
  }
  /// A validation as a run does it.
  void validate(RunReporter& reporter, int updates) const {
    std::ofstream(run.metrics(), std::ios::app) << valid_line(updates).dump() << "\n";
    reporter.valid(valid_line(updates), result());
  }
  std::vector<int> sampled() const {
    std::istringstream lines(test::file_bytes(run.report_data() + "/samples.jsonl"));
    std::vector<int> updates;
    for (std::string line; std::getline(lines, line);) updates.push_back(json::parse(line).at("updates"));
    return updates;
  }
  json data(const char* file) const { return json::parse(test::file_bytes(run.report_data() + "/" + file)); }
  std::string report() const { return test::file_bytes(run.report()); }

  test::TempFolder folder;
  RunFolder run{folder.path()};
  settings::RunConfig config;
  data::ParallelCorpus pairs = test::random_pairs(50, 9, 1);
};

TEST_F(RunReporterTest, AReportSaysHowTheRunStands) {
  RunReporter reporter(run, config, {}, pairs);
  EXPECT_EQ(data("state.json").at("state"), "running");
  validate(reporter, 100);
  EXPECT_THAT(report(), HasSubstr("Running when last written at "));
  reporter.end(report::RunState::kStopped, "stopped by signal 15 after update 100");
  EXPECT_THAT(report(), HasSubstr("stopped by signal 15 after update 100."));
  const RunReporter resumed(run, config, {}, pairs);
  EXPECT_EQ(data("state.json").at("state"), "running");
}

TEST_F(RunReporterTest, WithoutAReportThereIsNoState) {
  config.training.report = false;
  RunReporter reporter(run, config, {}, pairs);
  reporter.end(report::RunState::kFinished, "");
  EXPECT_FALSE(fs::exists(run.report_data()));
}

TEST_F(RunReporterTest, AValidationLeavesAReportAndAnEvent) {
  RunReporter reporter(run, config, {}, pairs);
  EXPECT_EQ(report(), "");
  validate(reporter, 100);
  EXPECT_THAT(report(), HasSubstr("zwei &lt;Hunde&gt;"));
  EXPECT_THAT(report(), HasSubstr("<h2>Attention of a sample</h2>"));
  EXPECT_THAT(report(), HasSubstr("50 sentence pairs"));
  EXPECT_EQ(data("attention.json").at("layers"), (json{{0.5, 0.5, 0.5, 0.5}}));
  EXPECT_EQ(data("attention.json").at("heads").size(), 2U);
  EXPECT_EQ(data("statistics.json").at("counted_pairs"), 50);
  const auto files = events::event_files(run.path);
  ASSERT_EQ(files.size(), 1U);
  EXPECT_THAT(test::file_bytes(files[0]), HasSubstr("valid/bleu"));
  EXPECT_EQ(log(), "");
}

TEST_F(RunReporterTest, FurtherCorporaHaveEventsOfTheirNames) {
  RunReporter reporter(run, config, {}, pairs);
  ordered_json line = valid_line(100);
  line["further"]["news"] = {{"loss", 4.5}, {"nll", 4}, {"perplexity", 54.6}, {"bleu", 3}, {"chrf", 15}};
  ValidationResult all = result(), further;
  further.corpus = "news";
  further.measures = {{"bleu", 3}, {"chrf", 15}};
  all.further = {further};
  reporter.valid(line, all);
  const auto files = events::event_files(run.path);
  ASSERT_EQ(files.size(), 1U);
  for (const char* name : {"valid/bleu", "valid/news/bleu", "valid/news/ppl"}) {
    EXPECT_THAT(test::file_bytes(files[0]), HasSubstr(name));
  }
}

TEST_F(RunReporterTest, ATrainingReportIsAnEventAndNoNewPageEachTime) {
  RunReporter reporter(run, config, {}, pairs);
  reporter.train(train_line(10));
  EXPECT_EQ(report(), "");
  const auto files = events::event_files(run.path);
  ASSERT_EQ(files.size(), 1U);
  for (const char* tag : {"train/loss", "train/nll", "train/ppl", "train/lr", "train/gnorm", "train/tokens_per_s"}) {
    EXPECT_THAT(test::file_bytes(files[0]), HasSubstr(tag));
  }
}

TEST_F(RunReporterTest, ARunTooShortForAnyFiguresHasNoReportAndNoWarning) {
  RunReporter reporter(run, config, {}, pairs);
  reporter.write();
  EXPECT_EQ(report(), "");
  EXPECT_EQ(log(), "");
}

TEST_F(RunReporterTest, TextsOfOneSideAreNotCountedAsPairs) {
  config.model = architecture::defaults("bert");
  const RunReporter reporter(run, config, {}, pairs);
  EXPECT_EQ(data("statistics.json").at("examples"), "passages");
  EXPECT_FALSE(data("statistics.json").contains("target_tokens"));
}

TEST_F(RunReporterTest, EachCanBeTurnedOff) {
  config.training.report = config.training.tensorboard = false;
  RunReporter reporter(run, config, {}, pairs);
  validate(reporter, 100);
  reporter.train(train_line(110));
  reporter.write();
  EXPECT_EQ(report(), "");
  EXPECT_FALSE(fs::exists(run.report_data()));
  EXPECT_TRUE(events::event_files(run.path).empty());
}

TEST_F(RunReporterTest, WhatAKilledProcessWrotePastItsCheckpointGoesAway) {
  {
    RunReporter reporter(run, config, {}, pairs);
    for (const int updates : {100, 200, 300}) validate(reporter, updates);
  }
  TrainingState state;
  state.progress.updates = state.last_validated = 200;
  const RunReporter again(run, config, state, pairs);
  EXPECT_EQ(sampled(), (std::vector<int>{100, 200}));
  EXPECT_FALSE(fs::exists(run.report_data() + "/attention.json"));  // it was of update 300
}

TEST_F(RunReporterTest, WhatAnEarlierStartWroteIsInTheReportOfTheNext) {
  {
    RunReporter reporter(run, config, {}, pairs);
    validate(reporter, 100);
  }
  TrainingState state;
  state.progress.updates = state.last_validated = 100;
  RunReporter again(run, config, state, pairs);
  EXPECT_TRUE(fs::exists(run.report_data() + "/attention.json"));
  validate(again, 200);
  EXPECT_EQ(sampled(), (std::vector<int>{100, 200}));
  EXPECT_THAT(report(), HasSubstr("<td dir=\"auto\">100</td><td dir=\"auto\">zwei &lt;Hunde&gt;"));
  EXPECT_EQ(events::event_files(run.path).size(), 2U);
}

TEST_F(RunReporterTest, WhatCannotBeWrittenIsAWarningOnce) {
  folder.file("report", "a file where the folder should be");
  fs::create_directory(run.report());
  RunReporter reporter(run, config, {}, pairs);
  EXPECT_THAT(log(), HasSubstr("the report of the run is incomplete: "));
  validate(reporter, 100);
  const std::string first = log();
  for (const char* part : {"report/samples.jsonl: ", "report/attention.json", "report.html", "training continues"})
    EXPECT_THAT(first, HasSubstr(part));
  validate(reporter, 200);
  reporter.write();
  EXPECT_EQ(log(), "");
  fs::remove(run.report());
  reporter.write();
  fs::remove(run.report());
  fs::create_directory(run.report());
  reporter.write();
  EXPECT_THAT(log(), HasSubstr("report.html"));  // it could be written again in between
}

TEST_F(RunReporterTest, EventsThatCannotBeWrittenAreAWarningOnce) {
  config.training.report = false;
  run.path = folder.path("gone");
  RunReporter reporter(run, config, {}, pairs);
  reporter.train(train_line(10));
  EXPECT_THAT(log(), HasSubstr("gone/events.out.tfevents."));
  reporter.train(train_line(20));
  reporter.valid(valid_line(20), result());
  EXPECT_EQ(log(), "");
}

}  // namespace
}  // namespace ventris::run
