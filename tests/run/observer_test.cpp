#include "run/observer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "support/temp_folder.h"

namespace ventris::run {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class ObserverTest : public testing::Test {
 protected:
  void SetUp() override { testing::internal::CaptureStderr(); }
  void TearDown() override { testing::internal::GetCapturedStderr(); }

  /// What went to the log since the last call.
  std::string log() {
    const std::string text = testing::internal::GetCapturedStderr();
    testing::internal::CaptureStderr();
    return text;
  }

  std::vector<json> written() const {
    std::istringstream lines(test::file_bytes(metrics));
    std::vector<json> found;
    for (std::string line; std::getline(lines, line);) found.push_back(json::parse(line));
    return found;
  }

  const settings::RunProgress progress{.epoch = 3, .updates = 200, .tokens = 5000, .minutes = 1.5, .in_epoch = 4};
  const ReportSums sums{.updates = 4, .loss = 300, .nll = 100, .tokens = 50, .weight = 50, .norm = 6};
  test::TempFolder folder;
  std::string metrics = folder.path("metrics.jsonl");
};

TEST_F(ObserverTest, AReportIsALineForPeopleAndOneForPrograms) {
  Observer observer(metrics, {});
  observer.report(progress, sums, 0.002);
  EXPECT_THAT(log(), HasSubstr("Ep. 4 : Up. 200 : Tok. 5000 : Cost 6.0000 : Ppl. 7.39 : "));
  ASSERT_EQ(written().size(), 1U);
  const json line = written()[0];
  EXPECT_EQ(line.at("kind"), "train");
  EXPECT_EQ(line.at("updates"), 200);
  EXPECT_EQ(line.at("epoch"), 4);  // as in the log
  EXPECT_EQ(line.at("target_tokens"), 5000);
  EXPECT_EQ(line.at("loss"), 6.0);           // nats a token
  EXPECT_EQ(line.at("nll"), 2.0);
  EXPECT_EQ(line.at("gradient_norm"), 1.5);  // mean over the updates
  EXPECT_EQ(line.at("learning_rate"), 0.002);
  EXPECT_EQ(line.at("minutes"), 1.5);
  EXPECT_GT(line.at("target_tokens_per_second"), 0.0);
  EXPECT_GT(line.at("peak_memory_mib"), 0.0);
}

TEST_F(ObserverTest, AWindowInWhichEveryUpdateWasSkippedIsReportedWithoutALoss) {
  Observer(metrics, {}).report(progress, {}, 0.002);
  ASSERT_EQ(written().size(), 1U);
  for (const char* key : {"loss", "nll", "gradient_norm"}) EXPECT_TRUE(written()[0].at(key).is_null()) << key;
}

TEST_F(ObserverTest, AValidationSaysWhetherItIsTheBest) {
  Observer observer(metrics, {});
  ValidationResult result;
  result.loss = 2.5;
  result.nll = 2;
  result.perplexity = std::exp(2.0);
  result.measures.emplace_back("bleu", 31.25);
  result.measures.emplace_back("chrf", 55.5);
  observer.validated(progress, result, settings::Metric::kBleu, true, 0);
  EXPECT_THAT(
      log(),
      HasSubstr("[valid] Ep. 4 : Up. 200 : bleu : 31.25 : chrf : 55.50 : loss : 2.5000 : perplexity : 7.389 : "));
  observer.validated(progress, result, settings::Metric::kChrf, false, 2);
  EXPECT_THAT(log(), HasSubstr(": stalled 2 times (chrf)"));
  ASSERT_EQ(written().size(), 2U);
  EXPECT_EQ(written()[0].at("kind"), "valid");
  EXPECT_EQ(written()[0].at("bleu"), 31.25);
  EXPECT_EQ(written()[0].at("chrf"), 55.5);
  EXPECT_EQ(written()[0].at("loss"), 2.5);
  EXPECT_EQ(written()[0].at("best"), true);
  EXPECT_EQ(written()[1].at("best"), false);
  EXPECT_EQ(written()[1].at("stalled"), 2);
}

TEST_F(ObserverTest, FurtherCorporaHaveALineOfTheLogEachAndAreInTheSameLineOfTheFile) {
  Observer observer(metrics, {});
  ValidationResult result, further;
  result.measures.emplace_back("bleu", 31.25);
  further.corpus = "news";
  further.measures = {{"bleu", 21.5}, {"chrf", 40}, {"other", 0.5}};
  further.loss = 3.5;
  result.further = {further};
  observer.validated(progress, result, settings::Metric::kBleu, true, 0);
  EXPECT_THAT(log(), HasSubstr("[valid] Ep. 4 : Up. 200 : news : bleu : 21.50 : chrf : 40.00 : loss : 3.5000 : "
                               "perplexity : 0.000 : other : 0.5000 : "));
  observer.averaged(progress, {{100, 30.5}}, &result);
  EXPECT_THAT(log(), HasSubstr("[averaged] news : bleu : 21.50 : "));
  ASSERT_EQ(written().size(), 2U);
  for (const json& line : written()) {
    EXPECT_EQ(line.at("bleu"), 31.25);
    EXPECT_EQ(line.at("further").at("news").at("bleu"), 21.5);
    EXPECT_EQ(line.at("further").at("news").at("loss"), 3.5);
  }
}

TEST_F(ObserverTest, ANumberThatIsNotFiniteIsNullInTheFile) {
  Observer observer(metrics, {});
  ReportSums endless = sums;
  endless.loss = std::numeric_limits<double>::infinity();
  observer.report(progress, endless, 0.002);
  ASSERT_EQ(written().size(), 1U);
  EXPECT_TRUE(written()[0].at("loss").is_null());
}

TEST_F(ObserverTest, LinesThatAKilledRunWroteAfterItsCheckpointAreCutOff) {
  const auto line = [](const char* kind, int updates) {
    return json{{"kind", kind}, {"updates", updates}}.dump() + "\n";
  };
  TrainingState state;
  state.progress.updates = 200;
  state.last_validated = 100;  // the validation at 200 is still due
  const std::string known = line("train", 100) + line("valid", 100) + line("train", 200);
  folder.file("metrics.jsonl", known + line("valid", 200) + line("train", 300) + "{\"kind\":\"tr");
  Observer observer(metrics, state);
  EXPECT_EQ(test::file_bytes(metrics), known);
  observer.report(progress, sums, 0.002);
  EXPECT_EQ(written().size(), 4U);
}

TEST_F(ObserverTest, AnAverageNamesItsModelsAndWhatItIsWorth) {
  Observer observer(metrics, {});
  ValidationResult result;
  result.measures.emplace_back("bleu", 31.25);
  observer.averaged(progress, {{100, 30.5}, {200, 31.0}}, &result);
  EXPECT_THAT(log(), HasSubstr("[averaged] the models of updates [100,200] : bleu : 31.25 : "));
  observer.averaged(progress, {{200, {}}}, nullptr);
  EXPECT_THAT(log(), HasSubstr("[averaged] the models of updates [200]\n"));
  ASSERT_EQ(written().size(), 2U);
  EXPECT_EQ(written()[0].at("kind"), "averaged");
  EXPECT_EQ(written()[0].at("updates"), 200);
  EXPECT_EQ(written()[0].at("models"), (json{100, 200}));
  EXPECT_EQ(written()[0].at("bleu"), 31.25);
  EXPECT_FALSE(written()[1].contains("bleu"));
}

TEST_F(ObserverTest, AnAverageIsCutOffUnlessTheCheckpointIsOfAFinishedRun) {
  const std::string earlier = R"({"kind":"averaged","updates":100})"
                              "\n",
                    last = R"({"kind":"averaged","updates":200})"
                           "\n";
  TrainingState state;
  state.progress.updates = 200;
  state.finished = true;
  folder.file("metrics.jsonl", earlier + last);
  {
    const Observer observer(metrics, state);
  }
  EXPECT_EQ(test::file_bytes(metrics), earlier + last);
  state.finished = false;  // the run was killed after the average and before the checkpoint that says so
  {
    const Observer observer(metrics, state);
  }
  EXPECT_EQ(test::file_bytes(metrics), earlier);
}

TEST_F(ObserverTest, ANewRunHasNoFileBeforeItsFirstLine) {
  const Observer observer(metrics, {});
  EXPECT_EQ(test::file_bytes(metrics), "");
  EXPECT_FALSE(std::filesystem::exists(metrics));
}

TEST_F(ObserverTest, AFileThatCannotBeWrittenDoesNotEndTheRun) {
  Observer observer(folder.path("none/metrics.jsonl"), {});
  observer.report(progress, sums, 0.002);
  EXPECT_THAT(log(), HasSubstr("none/metrics.jsonl: cannot be written: is the disk full, or the folder gone? The run "
                               "continues without this"));
}

TEST_F(ObserverTest, TheSecondsOfAWindowGoOnFromTheCheckpointAndBeginAnewWithAReport) {
  TrainingState state;
  state.sums.seconds = 1000;
  Observer observer(metrics, state);
  EXPECT_GE(observer.window_seconds(), 1000);
  observer.report(progress, sums, 0.002);
  EXPECT_LT(observer.window_seconds(), 500);
  EXPECT_LE(written().at(0).at("target_tokens_per_second"), 50 / 1000.0);
}

TEST_F(ObserverTest, TimeInAPauseDoesNotCount) {
  Observer observer(metrics, {});
  const double before = observer.window_seconds();
  observer.pause("validating");
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  observer.resume();
  EXPECT_LT(observer.window_seconds() - before, 0.3);
}

}  // namespace
}  // namespace ventris::run
