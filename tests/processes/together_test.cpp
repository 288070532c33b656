#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "processes/toy_ranks.h"

/// Real processes on one machine that train one model.
namespace ventris::test {
namespace {

using testing::HasSubstr;

const std::vector<std::string> kEndless{"--after", "1000000u", "--valid-freq", "1000000u"};

class Together : public testing::Test {
 protected:
  void SetUp() override {
    folder_with_more = ranks.folder.file(
        "more.json", R"({"training": {"accumulate": 2, "save_every": "7u", "ema_decay": 0.9, "word_dropout": 0.1},
                         "validation": {"every": "13u"}})");
  }

  std::vector<std::string> with_more(std::vector<std::string> words) const {
    words.insert(words.end(), {"-c", folder_with_more});
    return words;
  }

  /// A run of this length by two processes of one replica each; both must do well.
  void finish(const std::string& run, const std::vector<std::string>& words) {
    auto all = ranks.start_all(run, 2, words);
    for (auto& one : all) EXPECT_EQ(one.wait().code, 0) << ranks.words(run, 0) << ranks.words(run, 1);
  }

  void wait_for_a_checkpoint(const std::string& run) const {
    ASSERT_TRUE(wait_until([&] { return std::filesystem::exists(ranks.folder.path(run + "/latest/state.json")); }))
        << ranks.words(run, 0) << ranks.words(run, 1);
  }

  ToyRanks ranks;
  std::string folder_with_more;
};

TEST_F(Together, TwoProcessesGiveTheBytesOfOneWithTwoReplicas) {
  const auto words = with_more({"--after", "40u"});
  auto alone = words;
  alone.insert(alone.end(), {"--threads", "2"});
  ASSERT_EQ(run_program("ventris-train", ranks.arguments("alone", alone)).code, 0);
  finish("together", words);
  for (const char* file : {"final/model.safetensors", "best/model.safetensors", "latest/optimizer.safetensors"})
    EXPECT_TRUE(ranks.bytes("together", file) == ranks.bytes("alone", file)) << file;
  EXPECT_EQ(metrics_of(ranks.folder.path("together")), metrics_of(ranks.folder.path("alone")));
}

TEST_F(Together, OneProcessGoesOnWithTheRunOfTwo) {
  finish("whole", with_more({"--after", "40u"}));
  finish("changed", with_more({"--after", "20u"}));
  auto words = with_more({"--after", "40u", "--threads", "2"});
  const Outcome rest = run_program("ventris-train", ranks.arguments("changed", words));
  ASSERT_EQ(rest.code, 0) << rest.err;
  EXPECT_EQ(rest.err.find("another environment"), std::string::npos) << rest.err;
  EXPECT_TRUE(ranks.bytes("changed", "final/model.safetensors") == ranks.bytes("whole", "final/model.safetensors"));
}

TEST_F(Together, ThreeProcessesOfTwoReplicasTrainToo) {
  auto all = ranks.start_all("three", 3, {"--after", "10u", "--threads", "2"});
  for (auto& one : all) EXPECT_EQ(one.wait().code, 0);
  EXPECT_FALSE(ranks.bytes("three", "final/model.safetensors").empty());
}

TEST_F(Together, WhenAProcessIsKilledTheOthersSayWhichAndTheRunGoesOn) {
  finish("whole", with_more({"--after", "40u"}));
  for (const int victim : {0, 1}) {
    const std::string run = "killed" + std::to_string(victim);
    auto all = ranks.start_all(run, 2, with_more(kEndless));
    wait_for_a_checkpoint(run);
    all[static_cast<size_t>(victim)].send(SIGKILL);
    const Ending ending = all[static_cast<size_t>(1 - victim)].wait();
    EXPECT_TRUE(ending.exited);
    EXPECT_EQ(ending.code, 69);
    EXPECT_THAT(ranks.words(run, 1 - victim), HasSubstr("ventris-train: rank " + std::to_string(victim) + " on "));
    EXPECT_THAT(ranks.words(run, 1 - victim), HasSubstr("is gone: it was killed, or its machine or the network"));
    EXPECT_THAT(ranks.words(run, 1 - victim), HasSubstr("the same command for all processes resumes from"));
  }
  for (const int victim : {0, 1}) {
    auto all = ranks.start_all("again" + std::to_string(victim), 2, with_more({"--after", "40u"}));
    wait_for_a_checkpoint("again" + std::to_string(victim));
    all[static_cast<size_t>(victim)].send(SIGKILL);
    for (auto& one : all) one.wait();
    finish("again" + std::to_string(victim), with_more({"--after", "40u"}));
    EXPECT_TRUE(ranks.bytes("again" + std::to_string(victim), "final/model.safetensors") ==
                ranks.bytes("whole", "final/model.safetensors"));
  }
}

TEST_F(Together, ASignalToOneStopsAllAfterTheSameUpdate) {
  for (const int receiver : {0, 1}) {
    const std::string run = "stopped" + std::to_string(receiver);
    auto all = ranks.start_all(run, 2, with_more(kEndless));
    wait_for_a_checkpoint(run);
    all[static_cast<size_t>(receiver)].send(SIGTERM);
    for (auto& one : all) EXPECT_EQ(one.wait().code, 128 + SIGTERM);
    const auto state = nlohmann::json::parse(ranks.bytes(run, "latest/state.json"));
    const std::string words = "stopped by signal 15 after update " + state["state"]["progress"]["updates"].dump() + ";";
    for (const int rank : {0, 1}) EXPECT_THAT(ranks.words(run, rank), HasSubstr(words));
  }
}

TEST_F(Together, OneThatGivesNoSignOfLifeIsGivenUp) {
  auto all = ranks.start_all("silent", 2, kEndless, {{"VENTRIS_SILENCE_SECONDS", "2"}});
  wait_for_a_checkpoint("silent");
  all[1].send(SIGSTOP);
  EXPECT_EQ(all[0].wait().code, 69);
  EXPECT_THAT(ranks.words("silent", 0), HasSubstr("has given no sign of life for 2 seconds; stopped after update"));
}

TEST_F(Together, TheLastWordsOfOneAreHeardByTheOthers) {
  std::filesystem::create_directories(ranks.folder.path("damaged/checkpoints/step-00000005"));
  ranks.folder.file("damaged/RUN", "Ventris run 1\n");
  ranks.folder.file("damaged/config.json", "{}");
  ranks.folder.file("damaged/checkpoints/step-00000005/state.json", "{}");
  auto all = ranks.start_all("damaged", 2);
  EXPECT_EQ(all[0].wait().code, 4);
  EXPECT_EQ(all[1].wait().code, 69);
  EXPECT_THAT(ranks.words("damaged", 1), HasSubstr("rank 0 on "));
  EXPECT_THAT(ranks.words("damaged", 1), HasSubstr("no checkpoint is intact"));
}

}  // namespace
}  // namespace ventris::test
