#include "training/trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>

#include "core/error.h"
#include "core/log.h"
#include "data/corpus.h"
#include "files/folders.h"
#include "model/average.h"
#include "model/package.h"
#include "run/checkpoint.h"
#include "support/errors.h"
#include "support/file_size_limit.h"
#include "support/folder_entries.h"
#include "support/loaded_corpus.h"
#include "support/shape_of.h"
#include "support/toy_run.h"

namespace ventris::training {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class TrainTest : public testing::Test {
 protected:
  TrainTest() { after("4u"); }
  void SetUp() override { core::set_log_level("warning"); }
  void TearDown() override { core::set_log_level("info"); }

  void after(const std::string& length) { config.training.after = settings::Period::parse(length, "after"); }
  void validate_every(const std::string& length) {
    config.data.valid = {valid.source, valid.target};
    config.validation.every = settings::Period::parse(length, "every");
  }
  run::TrainingState state() const { return run::load_newest_checkpoint(run::RunFolder{run}).value().state; }
  std::string bytes(const std::string& name) const { return test::file_bytes(run + "/" + name); }
  json provenance(const std::string& bundle) const {
    return json::parse(model::read_package(run + "/" + bundle).config.provenance);
  }

  /// Updates of the bundles in models/.
  std::vector<int64_t> models() const {
    std::vector<int64_t> found;
    for (const run::KeptModel& model : state().models) {
      EXPECT_NO_THROW(model::read_package(run::RunFolder{run}.model(model.updates)));
      found.push_back(model.updates);
    }
    const auto folders = std::distance(fs::directory_iterator(run + "/models"), fs::directory_iterator());
    EXPECT_EQ(found.size(), static_cast<size_t>(folders));
    return found;
  }

  void expect_mean_of(const std::vector<int64_t>& updates) const {
    std::vector<std::string> paths;
    for (const int64_t update : updates) paths.push_back(run::RunFolder{run}.model(update));
    EXPECT_EQ(bytes("averaged/model.safetensors"), model::average_bundles(paths).weights);
    EXPECT_EQ(provenance("averaged").at("average_of"), json(updates));
  }

  /// Updates at which there is a line of this kind.
  std::vector<int> lines(const std::string& kind) const {
    std::istringstream all(bytes("metrics.jsonl"));
    std::vector<int> found;
    for (std::string line; std::getline(all, line);) {
      if (const auto one = json::parse(line); one.at("kind") == kind) found.push_back(one.at("updates"));
    }
    return found;
  }
  std::vector<int> validations() const { return lines("valid"); }

  test::TempFolder folder;
  std::string run = folder.path("run");
  test::ToyCorpus train_corpus = test::write_toy_corpus(folder, "train", 300, 1);
  test::ToyCorpus valid = test::write_toy_corpus(folder, "valid", 10, 2);
  settings::RunConfig config = test::toy_config(train_corpus);
};

TEST_F(TrainTest, ItsBundlesSayWhereTheyComeFrom) {
  validate_every("3u");
  train(config, {run});
  const auto final = json::parse(model::read_package(run + "/final").config.provenance);
  EXPECT_EQ(final.at("updates"), 4);
  EXPECT_EQ(final.at("target_tokens"), state().progress.tokens);
  json expected = config.to_json();
  expected["validation"]["tokenize"] = "13a";  // what auto chose
  EXPECT_EQ(final.at("settings"), expected);
  EXPECT_EQ(final.at("best_bleu"), state().best.value());
  EXPECT_TRUE(json::parse(model::read_package(run + "/best").config.provenance).contains("best_bleu"));
}

TEST_F(TrainTest, AnEpochSeesEveryTargetTokenOnce) {
  after("1e");
  train(config, {run});
  const auto package = model::read_package(run + "/final");
  const text::Tokenizer tokenizer(package.source_spm, "tokenizer");
  data::CorpusCounts counts;
  const auto corpus = test::load_corpus(config.data.train, tokenizer, tokenizer, config.data.filter, 1, counts);
  EXPECT_EQ(state().progress.tokens,
            corpus.summary().target_tokens + static_cast<int64_t>(corpus.size()));  // each with its eos
  EXPECT_EQ(state().progress.epoch, 1U);
  EXPECT_EQ(state().position.batch, 0U);
}

TEST_F(TrainTest, ACachedCorpusTrainsTheModelOfOneInMemory) {
  train(config, {run});
  const std::string before = bytes("final/model.safetensors");
  config.data.cache = folder.path("cache");
  train(config, {run, /*overwrite=*/true});
  EXPECT_EQ(bytes("final/model.safetensors"), before);
  EXPECT_TRUE(fs::exists(folder.path("cache/corpus.cache")));
  config.data.cache = run;  // beside the run's own lock
  train(config, {run, /*overwrite=*/true});
  EXPECT_EQ(bytes("final/model.safetensors"), before);
}

TEST_F(TrainTest, EveryWayToKeepTheCorpusGivesTheSameSampledRunAlsoWhenItGoesOn) {
  config.tokenizer.sampling_alpha = 0.2;
  after("1e");
  train(config, {run});
  const std::string first_epoch = bytes("final/model.safetensors");
  after("2e");
  train(config, {run});
  const std::string whole = bytes("final/model.safetensors");
  config.data.cache = folder.path("cache");
  train(config, {run, /*overwrite=*/true});
  EXPECT_EQ(bytes("final/model.safetensors"), whole);
  config.tokenizer.sampling_alpha = 0;
  after("1e");
  train(config, {run, /*overwrite=*/true});
  EXPECT_NE(bytes("final/model.safetensors"), first_epoch);
}

TEST_F(TrainTest, GuidedAlignmentGoesOnAsIfItHadNotBeenStoppedHoweverTheCorpusIsKept) {
  config.training.guided_alignment = {.links = settings::kLearntLinks, .head = 2};
  config.tokenizer.sampling_alpha = 0.2;
  config.data.modifiers = {{modifiers::ModifierKind::kUpper, 0.2},
                           {modifiers::ModifierKind::kMerge, 0.2},
                           {modifiers::ModifierKind::kTerms, 0.3}};
  config.training.accumulate = 2;
  after("6u");
  train(config, {run});
  const std::string whole = bytes("final/model.safetensors");
  EXPECT_EQ(model::read_package(run + "/final").config.guided_attention,
            (model::GuidedAttention{.layer = 1, .head = 2, .reading = true}));
  after("3u");
  train(config, {run, /*overwrite=*/true});
  after("6u");
  train(config, {run});
  EXPECT_EQ(bytes("final/model.safetensors"), whole);
  config.data.cache = folder.path("cache");
  train(config, {run, /*overwrite=*/true});
  EXPECT_EQ(bytes("final/model.safetensors"), whole);
  config.training.guided_alignment.links = "";
  config.data.modifiers.pop_back();
  train(config, {run, /*overwrite=*/true});
  EXPECT_NE(bytes("final/model.safetensors"), whole);
  EXPECT_EQ(model::read_package(run + "/final").config.guided_attention, model::GuidedAttention());
}

TEST_F(TrainTest, SeveralCorporaTogetherAreTheOneTheyMakeUp) {
  train(config, {run});
  const std::string before = bytes("final/model.safetensors");
  std::istringstream sources(test::file_bytes(train_corpus.source)), targets(test::file_bytes(train_corpus.target));
  std::array<std::string, 4> halves;
  std::string source, target;
  for (int line = 0; std::getline(sources, source) && std::getline(targets, target); ++line) {
    halves[line < 17 ? 0 : 2] += source + "\n";
    halves[line < 17 ? 1 : 3] += target + "\n";
  }
  config.data.train = {};
  for (const size_t i : {size_t{0}, size_t{2}}) {
    const std::string name = std::to_string(i);
    settings::CorpusConfig corpus;
    corpus.spec.files = {folder.file(name + ".src", halves[i]), folder.file(name + ".tgt", halves[i + 1])};
    config.data.corpora.push_back(corpus);
  }
  config.tokenizer.source = folder.file("source.spm", bytes("final/source.spm"));
  train(config, {run, /*overwrite=*/true});
  EXPECT_EQ(bytes("final/model.safetensors"), before);
}

TEST_F(TrainTest, WeightsOfOneChangeNothingAndOthersDo) {
  train(config, {run});
  const std::string before = bytes("final/model.safetensors");
  const std::string sources = test::file_bytes(train_corpus.source);
  const auto lines = std::count(sources.begin(), sources.end(), '\n');
  settings::CorpusConfig corpus;
  corpus.spec.files = config.data.train;
  config.data.train = {};
  for (const bool different : {false, true}) {
    std::string weights;
    for (int i = 0; i < lines; ++i) weights += different && i % 2 == 0 ? "0.25\n" : "1.0\n";
    corpus.spec.line_weights = folder.file("weights", weights);
    config.data.corpora = {corpus};
    train(config, {run, /*overwrite=*/true});
    EXPECT_EQ(bytes("final/model.safetensors") == before, !different);
  }
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

TEST_F(TrainTest, OfEqualValuesTheLossDecidesWhatIsBest) {
  std::string words;  // no translation has a word of these: every BLEU is 0
  for (int i = 0; i < 5; ++i) words += "redtreebluehouse\n";
  valid = {folder.file("v.src", words), folder.file("v.tgt", words)};
  validate_every("1u");
  config.validation.patience = 2;
  after("6u");
  train(config, {run});
  EXPECT_EQ(state().best, 0.0);
  EXPECT_EQ(state().progress.updates, 6) << "the loss fell each time";
  EXPECT_EQ(state().best_updates, 6);
  EXPECT_EQ(provenance("best").at("updates"), 6);
}

TEST_F(TrainTest, AnotherValidationCorpusBeginsWithoutABestValue) {
  validate_every("2u");
  train(config, {run});
  const auto begun = state();
  EXPECT_NE(begun.validation_corpus, "");
  valid = test::write_toy_corpus(folder, "other", 12, 3);
  validate_every("2u");
  after("6u");
  testing::internal::CaptureStderr();
  train(config, {run});
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::HasSubstr("data.valid: the validation corpus has changed (10 pairs, crc32 "));
  EXPECT_EQ(state().best_updates, 6);
  EXPECT_EQ(state().stalled, 0);
  EXPECT_EQ(provenance("best").at("updates"), 6);
}

TEST_F(TrainTest, TheEpochOfAReportIsTheOneThatItsUpdateWasIn) {
  config.training.report_every = settings::Period::parse("1u", "report");
  after("2e");
  train(config, {run});
  const int64_t updates = state().progress.updates;
  std::istringstream all(bytes("metrics.jsonl"));
  for (std::string line; std::getline(all, line);) {
    const auto one = json::parse(line);
    EXPECT_EQ(one.at("epoch"), one.at("updates") <= updates / 2 ? 1 : 2) << line;
  }
  EXPECT_EQ(provenance("final").at("epoch"), 2);
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
  EXPECT_THAT(testing::internal::GetCapturedStderr(), testing::HasSubstr("the run was begun in another environment"));
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
  EXPECT_FAILS(train(config, {valid.source + "/run"}), WriteError, "cannot create the run folder");
  fs::create_directories(run);
  const files::FolderLock lock(run);
  EXPECT_FAILS(train(config, {run}), ConfigError, "another ventris-train is using this folder");
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

TEST_F(TrainTest, TheNewestModelsAreAveragedAtTheEnd) {
  validate_every("2u");
  after("7u");
  config.training.average_last = 2;
  train(config, {run});
  EXPECT_EQ(models(), (std::vector<int64_t>{6, 7}));
  expect_mean_of({6, 7});
  EXPECT_EQ(lines("averaged"), (std::vector<int>{7}));
  EXPECT_TRUE(provenance("averaged").contains("bleu"));
  after("9u");
  train(config, {run});
  expect_mean_of({8, 9});
  EXPECT_EQ(lines("averaged"), (std::vector<int>{7, 9}));
}

TEST_F(TrainTest, TheBestModelsAreKeptAndMayBeAveragedLater) {
  validate_every("1u");
  after("5u");
  config.training.keep_best = 2;
  config.validation.metric = settings::Metric::kLoss;
  train(config, {run});
  const auto kept = models();
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(provenance("models/step-0000000" + std::to_string(kept[1])).at("loss"), state().models[1].value.value());
  EXPECT_FALSE(fs::exists(run + "/averaged"));
  config.training.average_best = 2;
  train(config, {run});  // the run is finished: only its average is missing
  expect_mean_of(kept);
  EXPECT_EQ(state().progress.updates, 5);
}

TEST_F(TrainTest, WithoutAValidationCorpusTheModelsThatAreSavedAreAveraged) {
  after("7u");
  config.training.save_every = settings::Period::parse("2u", "x");
  config.training.average_last = 3;
  train(config, {run});
  expect_mean_of({4, 6, 7});
  EXPECT_EQ(lines("averaged"), (std::vector<int>{7}));
}

TEST_F(TrainTest, AModelThatIsGoneIsLeftOutOfTheAverage) {
  validate_every("2u");
  config.training.average_last = 3;
  train(config, {run});
  EXPECT_EQ(models(), (std::vector<int64_t>{2, 4}));
  fs::remove_all(run::RunFolder{run}.model(2));
  after("6u");
  testing::internal::CaptureStderr();
  train(config, {run});
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::HasSubstr("models/step-00000002: is gone; the run continues without this model"));
  expect_mean_of({4, 6});
}

TEST_F(TrainTest, AFinishedRunMakesTheAverageAnewWhenAnotherIsWanted) {
  validate_every("2u");
  after("6u");
  config.training.average_last = 3;
  train(config, {run});
  expect_mean_of({2, 4, 6});
  config.training.average_last = 2;
  train(config, {run});
  expect_mean_of({4, 6});
}

TEST_F(TrainTest, ADamagedModelIsNotAveraged) {
  validate_every("2u");
  config.training.average_last = 2;
  train(config, {run});
  fs::remove_all(run + "/averaged");
  fs::resize_file(run::RunFolder{run}.model(2) + "/model.safetensors", 100);
  EXPECT_FAILS(train(config, {run}), ModelError, "models/step-00000002/model.safetensors: damaged");
  config.training.average_last = 3;
  after("6u");
  EXPECT_FAILS(train(config, {run}), ModelError,
               "remove the folder of that model and run the same command again to average the others");
  EXPECT_EQ(state().progress.updates, 6) << "what was learnt meanwhile is saved";
  fs::remove_all(run::RunFolder{run}.model(2));
  train(config, {run});
  expect_mean_of({4, 6});
}

TEST_F(TrainTest, FewerModelsToAverageThanAskedForAreWarnedOf) {
  testing::internal::CaptureStderr();
  config.training.average_last = 2;
  train(config, {run});
  EXPECT_THAT(testing::internal::GetCapturedStderr(), testing::HasSubstr("averaged: 1 of the 2 models to average"));
  fs::remove_all(run);
  config.training.average_last = 0;
  train(config, {run});
  testing::internal::CaptureStderr();
  config.training.average_last = 2;
  train(config, {run});
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::HasSubstr("averaged: 0 of the 2 models to average were kept; there is no average"));
}

TEST_F(TrainTest, TheFirstModelThatIsKeptComesWithACheckpoint) {
  validate_every("2u");
  config.training.save_every = settings::Period::parse("0", "save_every");
  config.training.keep_checkpoints = 10;
  train(config, {run});
  EXPECT_EQ(test::entries(run + "/checkpoints"), (std::vector<std::string>{"step-00000002", "step-00000004"}));
}

TEST_F(TrainTest, ACheckpointThatIsOwedAndCannotBeWrittenIsTriedAgainAfterTheNextValidation) {
  test::shape_of(config.model).d_ff = 2048;  // more bytes than the tokenizer's
  train(config, {run});
  const auto weights = fs::file_size(run + "/final/model.safetensors");
  fs::remove_all(run);
  validate_every("1u");
  after("10u");
  config.training.save_every = settings::Period::parse("0", "save_every");
  testing::internal::CaptureStderr();
  {
    const test::FileSizeLimit limit(weights * 3 / 2);  // for models, not for the optimiser's moments
    EXPECT_FAILS(train(config, {run}), WriteError, "optimizer.safetensors");
  }
  const std::string told = testing::internal::GetCapturedStderr(), warning = "this checkpoint could not be saved";
  EXPECT_NE(told.find(warning), told.rfind(warning));
}

TEST_F(TrainTest, NoCheckpointSpeaksOfAModelThatIsNotThere) {
  after("2u");
  train(config, {run});
  const std::string obstacle = folder.file("run/models", "a file where the folder should be");
  validate_every("1u");
  after("4u");
  config.training.save_every = settings::Period::parse("1u", "x");
  config.training.average_last = 2;
  testing::internal::CaptureStderr();
  EXPECT_FAILS(train(config, {run}), WriteError, "models: cannot create the folder");
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::HasSubstr("no checkpoint until the models can be saved"));
  EXPECT_EQ(state().progress.updates, 2);
  fs::remove(obstacle);
  train(config, {run});
  expect_mean_of({3, 4});
}

TEST_F(TrainTest, ANewRunStartsFromTheWeightsOfABundle) {
  train(config, {run});
  const auto before = test::file_bytes(run + "/final/model.safetensors");
  config.training.finetune_from = run + "/final";
  config.training.schedule.learning_rate = 0;
  after("1u");
  const std::string second = folder.path("second");
  train(config, {second});
  EXPECT_EQ(test::file_bytes(second + "/final/model.safetensors"), before);
  EXPECT_EQ(test::file_bytes(second + "/final/source.spm"), bytes("final/source.spm"));
  const auto provenance = json::parse(model::read_package(second + "/final").config.provenance);
  EXPECT_EQ(provenance.at("finetuned_from"), run + "/final");
  fs::remove_all(run);
  after("2u");
  train(config, {second});  // it goes on without the bundle
  EXPECT_FALSE(fs::exists(second + "/best"));  // there is no validation corpus
  config.training.finetune_from = run + "/final";
  EXPECT_FAILS(train(config, {folder.path("third")}), ModelError, "run/final: does not exist");
}

TEST_F(TrainTest, FineTuningFirstValidatesTheModelFromWhichItStarts) {
  train(config, {run});
  config.training.finetune_from = run + "/final";
  validate_every("2u");
  config.training.schedule.learning_rate = 0;  // nothing becomes better than the first model
  config.training.average_last = 2;
  after("2u");
  const std::string second = folder.path("second");
  train(config, {second});
  std::istringstream lines(test::file_bytes(second + "/metrics.jsonl"));
  std::vector<json> validations;
  for (std::string line; std::getline(lines, line);) {
    const json event = json::parse(line);
    if (event.at("kind") == "valid") validations.push_back(event);
  }
  ASSERT_GE(validations.size(), 2U);
  EXPECT_EQ(validations[0].at("updates"), 0);
  EXPECT_EQ(validations[0].at("best"), true);
  EXPECT_EQ(validations[1].at("best"), false);
  EXPECT_EQ(validations[1].at("loss"), validations[0].at("loss"));
  EXPECT_TRUE(fs::exists(second + "/best"));
  EXPECT_FALSE(fs::exists(second + "/models/step-00000000"));
  train(config, {second});  // a finished run
  fs::remove_all(second + "/best");
  after("9u");
  config.validation.patience = 2;
  core::set_log_level("info");
  testing::internal::CaptureStderr();
  train(config, {second});
  const std::string told = testing::internal::GetCapturedStderr();
  EXPECT_THAT(told, testing::HasSubstr("the best model, of update 0, is gone"));
  EXPECT_THAT(told, testing::ContainsRegex("the last 2 validations brought nothing better than .* at update 0"));
}

TEST_F(TrainTest, SettingsThatHaveChangedAreInTheLog) {
  train(config, {run});
  after("5u");
  core::set_log_level("info");
  testing::internal::CaptureStderr();
  train(config, {run});
  testing::internal::GetCapturedStderr();
  EXPECT_THAT(bytes("train.log"),
              testing::HasSubstr("changed setting: training.after: \"4u\" before, \"5u\" from now on"));
}

}  // namespace
}  // namespace ventris::training
