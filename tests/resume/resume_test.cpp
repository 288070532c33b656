#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "core/random.h"
#include "files/files.h"
#include "support/run_program.h"
#include "support/running_trainer.h"
#include "support/temp_folder.h"
#include "support/toy_corpus.h"

/// A run that is stopped and goes on ends with the bytes of one that was never stopped. VENTRIS_KILLS sets how many
/// instants are tried for each thread count; otherwise there are 20 in all.
namespace ventris::test {
namespace {

constexpr const char* kLength = "60u";

class Resume : public testing::TestWithParam<const char*> {
 protected:
  std::vector<std::string> arguments(const std::string& run) const {
    return {"-c",         settings,  "-c",         more,         "--train", train.source,
            train.target, "--valid", valid.source, valid.target, "-m",      folder.path(run),
            "--after",    kLength,   "--threads",  GetParam(),   "--quiet"};
  }

  std::string log_of(const std::string& run) const { return folder.path(run + ".err"); }

  RunningTrainer start(const std::string& run) const { return {arguments(run), log_of(run)}; }

  nlohmann::json state(const std::string& run) const {
    const std::string text = file_bytes(folder.path(run + "/latest/state.json"));
    return nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  }

  int64_t saved_updates(const std::string& run) const {
    const auto json = state(run);
    return json.is_object() ? json["state"]["progress"]["updates"].get<int64_t>() : 0;
  }

  std::string metrics(const std::string& run) const { return metrics_of(folder.path(run)); }

  /// Name and checksum of each bundle in models/.
  std::vector<std::string> kept_models(const std::string& run) const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path(run + "/models"))) {
      const std::string weights = file_bytes(entry.path().string() + "/model.safetensors");
      found.push_back(entry.path().filename().string() + " " + std::to_string(files::crc32(weights)));
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  void expect_same(const std::string& run) const {
    for (const char* bundle : {"final", "best", "averaged"}) {
      const std::string weights = std::string("/") + bundle + "/model.safetensors";
      const std::string expected = file_bytes(folder.path("whole" + weights));
      EXPECT_FALSE(expected.empty());
      EXPECT_EQ(file_bytes(folder.path(run + weights)), expected) << run << weights;
    }
    EXPECT_EQ(kept_models(run), kept_models("whole")) << run;
    EXPECT_EQ(metrics(run), metrics("whole")) << run;
    for (const char* data : {"/report/samples.jsonl", "/report/attention.json", "/report/statistics.json"}) {
      const std::string expected = file_bytes(folder.path(std::string("whole") + data));
      EXPECT_FALSE(expected.empty()) << data;
      EXPECT_EQ(file_bytes(folder.path(run + data)), expected) << run << data;
    }
    EXPECT_FALSE(file_bytes(folder.path(run + "/report.html")).empty()) << run;
  }

  TempFolder folder;
  std::string settings = folder.file("settings.json", kToySettings);
  std::string more = folder.file(
      "more.json",
      R"({"training": {"accumulate": 2, "save_every": "7u", "ema_decay": 0.9, "word_dropout": 0.1, "r_drop": 1,
                   "keep_best": 2, "average_last": 3},
      "tokenizer": {"sampling_alpha": 0.2}, "validation": {"every": "13u"}})");
  ToyCorpus train = write_toy_corpus(folder, "train", 300, 1);
  ToyCorpus valid = write_toy_corpus(folder, "valid", 10, 2);
};

TEST_P(Resume, AfterKillsAtRandomInstantsTheWeightsAndMetricsAreTheSame) {
  const auto started = std::chrono::steady_clock::now();
  ASSERT_EQ(run_program("ventris-train", arguments("whole")).code, 0);
  const auto length = std::chrono::duration<double>(std::chrono::steady_clock::now() - started);
  const char* wanted = std::getenv("VENTRIS_KILLS");
  const int kills = wanted != nullptr ? std::atoi(wanted) : GetParam() == std::string("1") ? 12 : 8;
  const core::RandomStream random(2026, std::strlen(GetParam()));
  int killed = 0;
  for (int run = 0; killed < kills && run < 20 * kills; ++run) {
    const std::string name = "killed" + std::to_string(run);
    for (uint64_t tries = 0; tries < 3; ++tries) {
      const double share = 0.15 + 0.85 * random.uniform(static_cast<uint64_t>(run) * 3 + tries);
      RunningTrainer trainer = start(name);
      std::this_thread::sleep_for(share * length);
      trainer.send(SIGKILL);
      const Ending ending = trainer.wait();
      if (ending.exited) break;  // it was done before
      ASSERT_EQ(ending.code, SIGKILL);
      ++killed;
    }
    ASSERT_EQ(run_program("ventris-train", arguments(name)).code, 0);
    expect_same(name);
  }
  EXPECT_GE(killed, kills);
}

TEST_P(Resume, AfterSigtermAndSigintItGoesOnFromTheVeryUpdate) {
  ASSERT_EQ(run_program("ventris-train", arguments("whole")).code, 0);
  int64_t before = 0;
  for (const int signal : {SIGTERM, SIGINT, SIGTERM}) {
    RunningTrainer trainer = start("stopped");
    ASSERT_TRUE(wait_until([&] { return saved_updates("stopped") > before; }));
    trainer.send(signal);
    const Ending ending = trainer.wait();
    ASSERT_TRUE(ending.exited);
    ASSERT_EQ(ending.code, 128 + signal) << file_bytes(log_of("stopped"));
    before = saved_updates("stopped");
    const std::string expected =
        "stopped by signal " + std::to_string(signal) + " after update " + std::to_string(before) + ";";
    EXPECT_NE(file_bytes(log_of("stopped")).find(expected), std::string::npos) << file_bytes(log_of("stopped"));
  }
  ASSERT_EQ(run_program("ventris-train", arguments("stopped")).code, 0);
  expect_same("stopped");
}

TEST_P(Resume, AStopInTheMiddleOfALongUpdateIsHeededBetweenTwoBatches) {
  const std::string endless = folder.file("endless.json", R"({"training": {"accumulate": 1000000}})");
  std::vector<std::string> all = arguments("run");
  all.insert(all.begin() + 4, {"-c", endless});
  std::erase(all, "--quiet");
  RunningTrainer trainer(all, log_of("run"));
  ASSERT_TRUE(wait_until([&] { return file_bytes(log_of("run")).find(" parameters, ") != std::string::npos; }));
  trainer.send(SIGTERM);
  EXPECT_EQ(trainer.wait().code, 128 + SIGTERM);
  EXPECT_NE(file_bytes(log_of("run")).find("after update 0;"), std::string::npos) << file_bytes(log_of("run"));
}

/// Of the report of a run in its folder.
std::string report_of(const std::string& run) { return file_bytes(run + "/report.html"); }

TEST_P(Resume, EverySignalThatAnnouncesAnEndSavesAndIsSaidInLogAndReport) {
  for (const int signal : {SIGHUP, SIGUSR1, SIGUSR2, SIGTERM}) {
    const std::string name = "stopped" + std::to_string(signal);
    RunningTrainer trainer = start(name);
    ASSERT_TRUE(wait_until([&] { return saved_updates(name) > 0 && !report_of(folder.path(name)).empty(); }));
    EXPECT_NE(report_of(folder.path(name)).find("Running when last written"), std::string::npos);
    trainer.send(signal);
    const Ending ending = trainer.wait();
    ASSERT_TRUE(ending.exited) << signal;
    EXPECT_EQ(ending.code, 128 + signal);
    const std::string said = "stopped by signal " + std::to_string(signal) + " after update " +
                             std::to_string(saved_updates(name)) + "; the same command resumes from there";
    EXPECT_NE(file_bytes(folder.path(name) + "/train.log").find(said), std::string::npos) << name;
    EXPECT_NE(report_of(folder.path(name)).find(said), std::string::npos) << name;
  }
}

TEST_P(Resume, AFinishedRunSaysSoInItsReportAndAQuietOneLeavesALog) {
  ASSERT_EQ(run_program("ventris-train", arguments("whole")).code, 0);  // with --quiet
  EXPECT_NE(report_of(folder.path("whole")).find("Finished at "), std::string::npos);
  const std::string log = file_bytes(folder.path("whole/train.log"));
  for (const char* part : {" parameters, ", " : Up. 5 : ", "done: "}) {
    EXPECT_NE(log.find(part), std::string::npos) << part << log;
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, Resume, testing::Values("1", "2"));

TEST(RunFolder, ASecondTrainerIsRefusedWhileTheFirstWorks) {
  const TempFolder folder;
  const std::string settings = folder.file("settings.json", kToySettings);
  const ToyCorpus train = write_toy_corpus(folder, "train", 300, 1);
  const std::vector<std::string> arguments{"-c", settings,           "--train", train.source, train.target,
                                           "-m", folder.path("run"), "--after", "100000u"};
  RunningTrainer first(arguments, folder.path("first.err"));
  ASSERT_TRUE(wait_until([&] { return !file_bytes(folder.path("run/latest/state.json")).empty(); }));
  const Outcome second = run_program("ventris-train", arguments);
  EXPECT_EQ(second.code, 2);
  EXPECT_NE(second.err.find("another ventris-train is using this folder"), std::string::npos) << second.err;
  first.send(SIGTERM);
  const Ending ending = first.wait();
  EXPECT_TRUE(ending.exited);
  EXPECT_EQ(ending.code, 128 + SIGTERM);
}

}  // namespace
}  // namespace ventris::test
