#include "training/trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "core/error.h"
#include "core/files.h"
#include "core/log.h"
#include "model/package.h"
#include "support/errors.h"
#include "support/toy_run.h"
#include "training/checkpoint.h"

namespace ventris::training {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class TrainTest : public testing::Test {
 protected:
  TrainTest() { after("4u"); }
  void SetUp() override { core::set_log_level("warning"); }
  void TearDown() override { core::set_log_level("info"); }

  void after(const std::string& length) { config.training.after = Period::parse(length, "after"); }
  void validate_every(const std::string& length) {
    config.data.valid = {valid.source, valid.target};
    config.validation.every = Period::parse(length, "every");
  }
  TrainingState state() const { return load_newest_checkpoint(RunFolder{run}).value().state; }
  std::string bytes(const std::string& name) const { return test::file_bytes(run + "/" + name); }

  /// Updates at which there was a validation.
  std::vector<int> validations() const {
    std::istringstream lines(bytes("metrics.jsonl"));
    std::vector<int> found;
    for (std::string line; std::getline(lines, line);) {
      if (const auto one = json::parse(line); one.at("kind") == "valid") found.push_back(one.at("updates"));
    }
    return found;
  }

  test::TempFolder folder;
  std::string run = folder.path("run");
  test::ToyCorpus train_corpus = test::write_toy_corpus(folder, "train", 300, 1);
  test::ToyCorpus valid = test::write_toy_corpus(folder, "valid", 10, 2);
  RunConfig config = test::toy_config(train_corpus);
};

TEST_F(TrainTest, ItsBundlesSayWhereTheyComeFrom) {
  validate_every("3u");
  train(config, {run});
  const auto final = json::parse(model::open_package(run + "/final").config.provenance);
  EXPECT_EQ(final.at("updates"), 4);
  EXPECT_EQ(final.at("target_tokens"), state().progress.tokens);
  EXPECT_EQ(final.at("settings"), config.to_json());
  EXPECT_EQ(final.at("best_bleu"), state().best.value());
  EXPECT_TRUE(json::parse(model::open_package(run + "/best").config.provenance).contains("best_bleu"));
}

TEST_F(TrainTest, AnEpochSeesEveryTargetTokenOnce) {
  after("1e");
  train(config, {run});
  const auto package = model::open_package(run + "/final");
  const text::Tokenizer tokenizer(package.source_spm, "tokenizer");
  data::CorpusCounts counts;
  const auto corpus = data::load_corpus(config.data.train, tokenizer, tokenizer, config.data.filter, 1, counts);
  EXPECT_EQ(state().progress.tokens,
            corpus.target_tokens() + static_cast<int64_t>(corpus.size()));  // each with its eos
  EXPECT_EQ(state().progress.epoch, 1U);
  EXPECT_EQ(state().position.batch, 0U);
}

TEST_F(TrainTest, AccumulatedBatchesAreOneUpdate) {
  config.training.batch_tokens = 128;
  config.training.accumulate = 2;
  train(config, {run});
  EXPECT_EQ(state().progress.updates, 4);
  EXPECT_EQ(state().progress.epoch, 0U);
  EXPECT_EQ(state().position.batch, 8U);
}

TEST_F(TrainTest, ValidatesAtTheEndWhateverTheFrequency) {
  validate_every("0");
  train(config, {run});
  EXPECT_EQ(validations(), (std::vector<int>{4}));
  after("6u");
  validate_every("3u");
  train(config, {run});
  EXPECT_EQ(validations(), (std::vector<int>{4, 6}));  // at 6 it was due, and not again at the end
}

TEST_F(TrainTest, AFinishedRunMakesALostFinalModelAgain) {
  train(config, {run});
  const std::string before = bytes("final/model.safetensors");
  fs::remove_all(run + "/final");
  train(config, {run});
  EXPECT_EQ(bytes("final/model.safetensors"), before);
}

TEST_F(TrainTest, OtherConditionsAreWarnedOf) {
  train(config, {run});
  after("5u");
  config.training.threads = 2;
  testing::internal::CaptureStderr();
  train(config, {run});
  EXPECT_THAT(testing::internal::GetCapturedStderr(), testing::HasSubstr("the run was begun under other conditions"));
  EXPECT_EQ(state().progress.updates, 5);
}

TEST_F(TrainTest, OverwritingBeginsAnew) {
  train(config, {run});
  after("2u");
  train(config, {run, /*overwrite=*/true});
  EXPECT_EQ(state().progress.updates, 2);
}

TEST_F(TrainTest, WithoutACorpusNoFolderIsMade) {
  config.data.train = {};
  EXPECT_FAILS(train(config, {run}), ConfigError, "data.train: no training corpus is given");
  config.data.train = {folder.path("none"), train_corpus.target};
  EXPECT_FAILS(train(config, {run}), DataError, "none: cannot be read");
  config = test::toy_config(train_corpus);
  config.data.valid = {valid.source, train_corpus.target};
  EXPECT_FAILS(train(config, {run}), DataError, "line counts differ");
  EXPECT_FALSE(fs::exists(run));
}

TEST_F(TrainTest, AFolderThatIsAFileOrInUseIsRefused) {
  EXPECT_FAILS(train(config, {valid.source + "/run"}), WriteError, "cannot make the run folder");
  fs::create_directories(run);
  const core::FolderLock lock(run);
  EXPECT_FAILS(train(config, {run}), ConfigError, "another ventris-train is working in this folder");
}

TEST_F(TrainTest, UpdatesThatAreNotFiniteEndTheRun) {
  after("50u");
  config.training.max_bad_updates = 2;
  config.training.clip_norm = 0;
  config.training.schedule.learning_rate = 1e30;
  config.training.schedule.warmup_updates = 0;
  EXPECT_FAILS(train(config, {run}), DivergedError, "training diverged: 2 updates in a row were not finite");
  EXPECT_FALSE(fs::exists(run + "/final"));
}

TEST_F(TrainTest, AModelThatCannotTranslateHasDiverged) {
  validate_every("1u");
  config.training.clip_norm = 0;
  config.training.schedule.learning_rate = 1e30;
  config.training.schedule.warmup_updates = 0;
  EXPECT_FAILS(train(config, {run}), DivergedError,
               "training diverged: the model cannot translate the validation corpus: ");
}

}  // namespace
}  // namespace ventris::training
