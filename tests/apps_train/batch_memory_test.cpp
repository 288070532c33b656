#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/run_program.h"
#include "support/temp_folder.h"
#include "support/toy_corpus.h"

/// training.batch_memory in whole runs; tests/training/batch_size_test.cpp has the measuring.
namespace ventris::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class BatchMemory : public testing::Test {
 protected:
  Outcome train(const std::string& run, const std::vector<std::string>& more) const {
    std::vector<std::string> all{"-c", settings, "-m", folder.path(run), "--train", corpus.source, corpus.target};
    all.insert(all.end(), more.begin(), more.end());
    return run_program("ventris-train", all);
  }
  json config_of(const std::string& run) const { return json::parse(file_bytes(folder.path(run + "/config.json"))); }

  TempFolder folder;
  std::string settings = folder.file("settings.json", kToySettings);
  ToyCorpus corpus = write_toy_corpus(folder, "train", 2000, 1);
};

TEST_F(BatchMemory, AResumedRunKeepsTheSizeThatWasFoundAndEndsAsOneWithThisSizeGiven) {
  const Outcome begun = train("run", {"--batch-memory", "400M", "--after", "2u"});
  ASSERT_EQ(begun.code, 0) << begun.err;
  EXPECT_THAT(begun.err, HasSubstr("batches within 400M: at most "));
  const json found = config_of("run")["training"];
  const Outcome resumed = train("run", {"--batch-memory", "400M", "--after", "4u"});
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_THAT(resumed.err, testing::Not(HasSubstr("batches within")));
  EXPECT_EQ(config_of("run")["training"]["batch_tokens"], found["batch_tokens"]);
  const std::string given = folder.file(
      "given.json",
      json{{"training", {{"batch_tokens", found["batch_tokens"]}, {"length_cost", found["length_cost"]}}}}.dump());
  ASSERT_EQ(train("other", {"-c", given, "--after", "4u"}).code, 0);
  EXPECT_EQ(file_bytes(folder.path("run/final/model.safetensors")),
            file_bytes(folder.path("other/final/model.safetensors")));
}

TEST_F(BatchMemory, AnotherAmountCannotResumeARun) {
  ASSERT_EQ(train("run", {"--batch-memory", "400M", "--after", "1u"}).code, 0);
  const Outcome other = train("run", {"--batch-memory", "500M", "--after", "2u"});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("training.batch_memory: the run was begun with \"400M\" and cannot be resumed"));
}

TEST_F(BatchMemory, TooLittleIsRefusedBeforeTheRunBegins) {
  const Outcome outcome = train("run", {"--batch-memory", "20M", "--after", "1u"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("training.batch_memory: 20M is not enough: the run needs "));
  const Outcome wrong = train("run", {"--batch-memory", "4 GB"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("expected an amount of memory such as 4G, 512M or 1.5T, or 0, got '4 GB'"));
}

TEST_F(BatchMemory, TheDoctorShowsHowManySentencesFit) {
  const Outcome outcome = train("run", {"--batch-memory", "600M", "--doctor"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, testing::ContainsRegex("\nbatches      within 600M: at most [0-9,]+ sentences of "));
}

}  // namespace
}  // namespace ventris::test
