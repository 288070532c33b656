#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "support/run_program.h"
#include "support/temp_folder.h"
#include "support/toy_corpus.h"

namespace ventris::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

class Doctor : public testing::Test {
 protected:
  Outcome run(const std::vector<std::string>& more) const {
    std::vector<std::string> all{"-c", settings, "--doctor", "-m", folder.path("run")};
    all.insert(all.end(), more.begin(), more.end());
    return run_program("ventris-train", all);
  }
  json report(std::vector<std::string> more) const {
    for (const char* word : {"--format", "json", "--train"}) more.emplace_back(word);
    more.push_back(train.source);
    more.push_back(train.target);
    const Outcome outcome = run(more);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return json::parse(outcome.out);
  }

  TempFolder folder;
  std::string settings = folder.file("settings.json", kToySettings);
  ToyCorpus train = write_toy_corpus(folder, "train", 400, 1);
  ToyCorpus valid = write_toy_corpus(folder, "valid", 30, 2);
};

TEST_F(Doctor, SaysWhatTheRunWouldTakeAndWritesNothing) {
  const json all = report({"--valid", valid.source, valid.target, "--after", "3e"});
  EXPECT_EQ(all["corpora"]["pairs"], 400);
  EXPECT_EQ(all["corpora"]["validation"]["pairs"], 30);
  EXPECT_GT(all["model"]["parameters"], 10000);
  EXPECT_GE(all["measured"]["updates"], 3);
  EXPECT_GT(all["measured"]["target_tokens_per_second"], 0);
  EXPECT_NEAR(all["expected"]["epochs"].get<double>(), 3, 0.01);
  EXPECT_NEAR(all["expected"]["seconds"].get<double>(), 3 * all["expected"]["seconds_per_epoch"].get<double>(), 0.01);
  EXPECT_GT(all["expected"]["peak_memory_mib"], 50);
  EXPECT_GT(all["disk"]["checkpoint_bytes"], all["disk"]["bundle_bytes"]);
  EXPECT_FALSE(fs::exists(folder.path("run")));
}

TEST_F(Doctor, TellsOfAModifierThatTheTokenizerDoesNotKnowAndOfAnIdleSetting) {
  const std::string more = folder.file("more.json", R"({"data": {"modifiers": [{"kind": "emoji", "share": 1}],
      "context": {"single": 0.5}}})");
  EXPECT_THAT(report({"-c", more})["warnings"],
              testing::IsSupersetOf({HasSubstr("data.modifiers[0] (emoji): "),
                                     HasSubstr("data.context.single: has no effect without data.context.sentences")}));
}

TEST_F(Doctor, FilesThatWereMixedUpAreTold) {
  std::string english, german;
  for (int i = 0; i < 60; ++i) {
    const std::string number = std::to_string(i);
    english += "the " + number + " dogs are playing in the garden near the station\n";
    german += "die " + number + " Hunde spielen im Garten beim Bahnhof und bellen\n";
  }
  const std::string source = folder.file("t.en", english), target = folder.file("t.de", german);
  const auto warnings = [&](const std::vector<std::string>& files) {
    std::vector<std::string> all{"--format", "json"};
    all.insert(all.end(), files.begin(), files.end());
    return json::parse(run(all).out).at("warnings").dump();
  };
  EXPECT_THAT(warnings({"--train", source, target, "--valid", target, source}), HasSubstr("in the wrong order?"));
  EXPECT_THAT(warnings({"--train", source, source, "--valid", source, source}),
              HasSubstr("60 of 60 pairs of the training corpus have the same text on both sides"));
  const std::string right = warnings({"--train", source, target, "--valid", source, target});
  EXPECT_THAT(right, testing::Not(HasSubstr("wrong order")));
  EXPECT_THAT(right, testing::Not(HasSubstr("both sides")));
  const json data = {{"data", {{"valid", {valid.source, valid.target}}}}};
  EXPECT_THAT(warnings({"--train", source, target, "-c", folder.file("valid.json", data.dump())}),
              HasSubstr("is that of a settings file"));
}

TEST_F(Doctor, TheLengthOfARunMayBeInAnyUnit) {
  const json updates = report({"--after", "500u"}), endless = report({});
  EXPECT_NEAR(updates["expected"]["updates"].get<double>(), 500, 1);
  EXPECT_FALSE(endless["expected"].contains("seconds"));
}

TEST_F(Doctor, WarnsOfWhatWouldSpoilTheRun) {
  const std::string threads = std::to_string(std::thread::hardware_concurrency() + 1);
  const json all = report({"--valid", train.source, train.target, "--after", "10u", "--threads", threads})["warnings"];
  EXPECT_THAT(all, Contains(HasSubstr("400 of 400 validation sources are also in the training corpus")));
  EXPECT_THAT(all, Contains(StartsWith("the warm-up of 20 updates is longer than the run of about 10")));
  EXPECT_THAT(all, Contains(StartsWith("training.threads: " + threads + " is more than the ")));
}

TEST_F(Doctor, WarnsOfATokenizerThatDoesNotFitTheCorpus) {
  const std::string other = folder.file("other.txt", "0 1 2 3 4 5 6 7 8 9\n");
  const std::string spm = folder.path("other.spm");
  ASSERT_EQ(run_program("ventris-vocab", {"-i", other, "-o", spm, "--size", "40"}).code, 0);
  const json all = report({"--source-tokenizer", spm})["warnings"];
  EXPECT_THAT(all, Contains(HasSubstr(" % of the source tokens are unknown to the tokenizer")));
  EXPECT_THAT(all, Contains(HasSubstr("occur fewer than 10 times: it is too large for this corpus")));
  EXPECT_THAT(all, Contains(StartsWith("there is no validation corpus")));
}

TEST_F(Doctor, PeopleGetLines) {
  const Outcome outcome = run({"--train", train.source, train.target, "--after", "100u"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("run          " + folder.path("run") + ", starts from the beginning\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\ntraining     400 pairs, "));
  EXPECT_THAT(outcome.out, HasSubstr("\nwhole run    100u: about 100 updates, "));
  EXPECT_THAT(outcome.out, HasSubstr("\nWARNING      there is no validation corpus"));
}

TEST_F(Doctor, ARunThatIsThereIsLookedAtAndNotTouched) {
  std::vector<std::string> flags{"--train", train.source, train.target, "--after", "10u"};
  std::vector<std::string> real{"-c", settings, "-m", folder.path("run")};
  real.insert(real.end(), flags.begin(), flags.end());
  ASSERT_EQ(run_program("ventris-train", real).code, 0);
  const std::string log = file_bytes(folder.path("run/train.log"));
  const Outcome outcome = run({"--train", train.source, train.target, "--after", "20u"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("/run, resumes from update 10\n"));
  EXPECT_EQ(file_bytes(folder.path("run/train.log")), log);
  EXPECT_EQ(run({"--train", train.source, train.target, "--seed", "9"}).code, 2);  // as the run itself
}

TEST_F(Doctor, WhatARunWouldRefuseIsRefusedAlike) {
  const Outcome missing = run({"--train", folder.path("none"), train.target});
  EXPECT_EQ(missing.code, 3);
  EXPECT_THAT(missing.err, HasSubstr("none: cannot be read"));
  EXPECT_EQ(run({"--train", train.source, valid.target}).code, 3);
  EXPECT_THAT(run({}).err, HasSubstr("data.train: no training corpus is given"));
  const Outcome piped = run({"--train-tsv", "-"});
  EXPECT_EQ(piped.code, 2);
  EXPECT_THAT(piped.err, HasSubstr("--doctor: standard input cannot be read twice"));
}

}  // namespace
}  // namespace ventris::test
