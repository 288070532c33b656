#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/random.h"
#include "support/run_program.h"
#include "support/temp_folder.h"
#include "support/toy_corpus.h"

/// A run that is stopped and goes on ends with the bytes of one that was never stopped. VENTRIS_KILLS sets how many instants
/// are tried for each thread count.
namespace ventris::test {
namespace {

constexpr const char* kLength = "60u";

class Resume : public testing::TestWithParam<const char*> {
 protected:
  std::vector<std::string> arguments(const std::string& run) const {
    return {"-c", settings, "-c", more, "--train", train.source, train.target, "--valid", valid.source, valid.target,
            "-m", folder.path(run), "--after", kLength, "--threads", GetParam(), "--quiet"};
  }

  /// Starts the program and sends it `signal` after some milliseconds; its exit code, or 128 + signal.
  int run_and_send(const std::string& run, int signal, int64_t milliseconds) const {
    const std::string path = program_path("ventris-train");
    const auto words = arguments(run);
    std::vector<char*> argv{const_cast<char*>(path.c_str())};
    for (const auto& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      execv(path.c_str(), argv.data());
      _exit(127);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    kill(child, signal);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  /// metrics.jsonl without what a clock decides.
  std::string metrics(const std::string& run) const {
    std::istringstream lines(file_bytes(folder.path(run + "/metrics.jsonl")));
    std::string line, all;
    while (std::getline(lines, line)) {
      auto json = nlohmann::json::parse(line);
      for (const char* key : {"target_tokens_per_second", "peak_memory_mib", "minutes", "seconds"}) json.erase(key);
      all += json.dump() + "\n";
    }
    return all;
  }

  void expect_same(const std::string& run) const {
    EXPECT_EQ(file_bytes(folder.path(run + "/final/model.safetensors")), file_bytes(folder.path("whole/final/model.safetensors"))) << run;
    EXPECT_EQ(file_bytes(folder.path(run + "/best/model.safetensors")), file_bytes(folder.path("whole/best/model.safetensors"))) << run;
    EXPECT_EQ(metrics(run), metrics("whole")) << run;
  }

  TempFolder folder;
  std::string settings = folder.file("settings.json", kToySettings);
  std::string more = folder.file("more.json", R"({"training": {"accumulate": 2, "save_every": "7u"}, "validation": {"every": "13u"}})");
  ToyCorpus train = write_toy_corpus(folder, "train", 300, 1);
  ToyCorpus valid = write_toy_corpus(folder, "valid", 10, 2);
};

TEST_P(Resume, AfterKillsAtRandomInstantsTheWeightsAndMetricsAreTheSame) {
  ASSERT_EQ(run_program("ventris-train", arguments("whole")).code, 0);
  const char* wanted = std::getenv("VENTRIS_KILLS");
  const int kills = wanted != nullptr ? std::atoi(wanted) : 6;
  const core::RandomStream random(2026, std::strlen(GetParam()));
  int run = 0;
  for (int killed = 0; killed < kills; ++run) {
    const std::string name = "killed" + std::to_string(run);
    int code = 137;
    for (int tries = 0; code == 137 && tries < 4 && killed < kills; ++tries, ++killed) {
      const auto wait = static_cast<int64_t>(300 + random.below(static_cast<uint64_t>(killed), 1200));
      code = run_and_send(name, SIGKILL, wait);
    }
    if (code != 0) {
      ASSERT_EQ(run_program("ventris-train", arguments(name)).code, 0);
    }
    expect_same(name);
  }
}

TEST_P(Resume, AfterSigtermAndSigintItGoesOnFromTheVeryUpdate) {
  ASSERT_EQ(run_program("ventris-train", arguments("whole")).code, 0);
  for (const auto& [signal, milliseconds] : {std::pair{SIGTERM, 700}, std::pair{SIGINT, 900}, std::pair{SIGTERM, 1100}}) {
    const int code = run_and_send("stopped", signal, milliseconds);
    EXPECT_TRUE(code == 128 + signal || code == 0) << code;
  }
  ASSERT_EQ(run_program("ventris-train", arguments("stopped")).code, 0);
  expect_same("stopped");
}

INSTANTIATE_TEST_SUITE_P(Threads, Resume, testing::Values("1", "2"));

TEST(RunFolder, ASecondTrainerIsRefusedWhileTheFirstWorks) {
  const TempFolder folder;
  const std::string settings = folder.file("settings.json", kToySettings);
  const ToyCorpus train = write_toy_corpus(folder, "train", 300, 1);
  const std::vector<std::string> arguments{"-c", settings, "--train", train.source, train.target, "-m", folder.path("run"), "--after", "100000u"};
  std::thread first([&] { run_program("ventris-train", arguments); });
  while (file_bytes(folder.path("run/latest/state.json")).empty()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const Outcome second = run_program("ventris-train", arguments);
  EXPECT_EQ(second.code, 2);
  EXPECT_NE(second.err.find("another ventris-train is working in this folder"), std::string::npos) << second.err;
  std::system(("pkill -TERM -f -- '-m " + folder.path("run") + "'").c_str());
  first.join();
}

}  // namespace
}  // namespace ventris::test
