#include "preparation/opened_run.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <iostream>

#include "core/error.h"
#include "core/process.h"
#include "support/errors.h"
#include "support/gone_process.h"
#include "support/shape_of.h"
#include "support/tiny_bundle.h"
#include "support/toy_run.h"

namespace ventris::preparation {
namespace {

namespace fs = std::filesystem;

class OpenedRunTest : public testing::Test {
 protected:
  OpenedRunTest() { fs::create_directories(run); }

  OpenedRun open(bool overwrite = false) const { return open_run(config, {run, overwrite}); }

  /// A checkpoint of a run with these settings.
  void save(int64_t updates) const { save(updates, config.to_json().dump()); }
  void save(int64_t updates, const std::string& settings) const {
    const float value = 1.5F;
    const std::string bytes(reinterpret_cast<const char*>(&value), sizeof value);
    const std::string tensors = model::write_safetensors({{"w", model::DType::kF32, {1}, bytes}}, {});
    run::TrainingState state;
    state.progress.updates = updates;
    run::save_checkpoint(run::RunFolder{run}, {state, settings, "{}", tensors, tensors, "source", ""}, 2);
  }

  std::string file(const std::string& name) const {
    fs::create_directories(fs::path(run + "/" + name).parent_path());
    return folder.file("run/" + name, "text");
  }

  bool there(const std::string& name) const { return fs::exists(run + "/" + name); }

  test::TempFolder folder;
  std::string run = folder.path("run");
  settings::RunConfig config = test::toy_config(test::write_toy_corpus(folder, "train", 60, 1));
};

TEST_F(OpenedRunTest, AnEmptyFolderHasNothingToGoOnFrom) {
  const auto opened = open();
  EXPECT_FALSE(opened.checkpoint);
  EXPECT_EQ(opened.folder.path, run);
  EXPECT_TRUE(fs::is_empty(run));
}

TEST_F(OpenedRunTest, OpeningTakesAwayHalfWrittenFilesAndNothingElse) {
  const std::string half = ".tmp-" + std::to_string(test::process_that_is_gone()) + "-best";
  for (const std::string& name : {half + "/MANIFEST", std::string("notes.txt")}) file(name);
  open(/*overwrite=*/true);
  EXPECT_TRUE(there(half)) << "no run has been here yet";
  file("config.json");
  run::mark_run_folder({run});
  for (const std::string& name : {"checkpoints/" + half + "/MANIFEST", std::string("metrics.jsonl")}) file(name);
  open(/*overwrite=*/true);
  EXPECT_FALSE(there(half) || there("checkpoints/" + half));
  EXPECT_TRUE(there("notes.txt") && there("metrics.jsonl") && there("checkpoints"));
}

TEST_F(OpenedRunTest, GoesOnFromTheNewestCheckpointUnlessItIsToBeOverwritten) {
  save(100);
  save(200);
  EXPECT_EQ(open().checkpoint.value().state.progress.updates, 200);
  EXPECT_FALSE(open(/*overwrite=*/true).checkpoint);
  EXPECT_TRUE(there("latest/state.json"));  // not yet
}

TEST_F(OpenedRunTest, SettingsThatCannotChangeAreNamed) {
  save(100);
  test::shape_of(config.model).d_ff = 128;
  EXPECT_FAILS(open(), ConfigError, "model.d_ff: the run was begun with 64 and cannot be resumed with 128");
  EXPECT_NO_THROW(open(/*overwrite=*/true));
}

TEST_F(OpenedRunTest, BleuKeepsTheTokenizationThatTheRunWasBegunWith) {
  EXPECT_FALSE(open().begun_with);
  config.validation.tokenize = settings::BleuTokenize::kChar;
  save(100);
  config.validation.tokenize = settings::BleuTokenize::kAuto;
  EXPECT_EQ(open().begun_with->validation.tokenize, settings::BleuTokenize::kChar);
  EXPECT_TRUE(open().changes.empty());
  config.validation.tokenize = settings::BleuTokenize::kZh;
  EXPECT_FAILS(open(), ConfigError,
               "validation.tokenize: the run was begun with \"char\" and cannot be resumed with \"zh\"");
}

TEST_F(OpenedRunTest, ARunOfAVersionThatHadNoChoiceKeeps13a) {
  auto settings = config.to_json();
  settings["validation"].erase("tokenize");
  save(100, settings.dump());
  EXPECT_EQ(open().begun_with->validation.tokenize, settings::BleuTokenize::k13a);
  config.validation.tokenize = settings::BleuTokenize::k13a;
  EXPECT_TRUE(open().changes.empty());
}

TEST_F(OpenedRunTest, ATokenizationThatTheRunCouldNotChooseMayStillBeGiven) {
  save(100);  // with auto, as a run that had only standard input
  config.validation.tokenize = settings::BleuTokenize::kZh;
  EXPECT_EQ(open().begun_with->validation.tokenize, settings::BleuTokenize::kAuto);
}

TEST_F(OpenedRunTest, BatchesKeepTheSizeThatWasFoundForTheMemory) {
  config.training.batch_memory = settings::MemorySize::parse("4G", "test");
  settings::RunConfig found = config;
  found.training.batch_tokens = 123;
  found.training.length_cost = 0.25;
  save(100, found.to_json().dump());
  EXPECT_TRUE(open().changes.empty());
  EXPECT_EQ(open().begun_with->training.batch_tokens, 123);
  config.training.batch_memory = settings::MemorySize::parse("5G", "test");
  EXPECT_FAILS(open(), ConfigError,
               "training.batch_memory: the run was begun with \"4G\" and cannot be resumed with \"5G\"");
}

TEST_F(OpenedRunTest, SettingsThatOnlyANewerVersionKnowsAreOfTheCheckpoint) {
  auto settings = config.to_json();
  settings["training"]["later"] = 1;
  save(100, settings.dump());
  EXPECT_FAILS(open(), UnreadableError, "step-00000100/state.json: training.later: unknown setting");
  EXPECT_FAILS(open(), UnreadableError, "was it written by a newer version of ventris-train?");
}

TEST_F(OpenedRunTest, DamagedCheckpointsBeginNothingAnew) {
  save(100);
  fs::resize_file(run + "/latest/model.safetensors", 10);
  EXPECT_FAILS(open(), ModelError, "no checkpoint is intact");
  EXPECT_NO_THROW(open(/*overwrite=*/true));
}

TEST_F(OpenedRunTest, ABundleIsNoRunFolderEvenToOverwrite) {
  file("MANIFEST");
  for (const bool overwrite : {false, true})
    EXPECT_FAILS(open(overwrite), ConfigError, "run: is a bundle, not a run folder");
}

TEST_F(OpenedRunTest, ARunKilledBeforeItsFirstCheckpointBeginsAgain) {
  run::mark_run_folder({run});
  file("config.json");
  file("best/MANIFEST");
  EXPECT_FALSE(open().checkpoint);
  EXPECT_TRUE(open().begun);
  EXPECT_FALSE(open(/*overwrite=*/true).begun);
}

TEST_F(OpenedRunTest, ARunIsNotReplacedByOneThatIsMadeOfIt) {
  save(100);
  file("best/MANIFEST");
  const std::string message = "best is among the files that a new run in " + run + " replaces";
  config.training.finetune_from = run + "/../run/best";
  EXPECT_FAILS(open(/*overwrite=*/true), ConfigError, "training.finetune_from: " + run + "/../run/" + message);
}

TEST_F(OpenedRunTest, ModelsOfARunWhoseCheckpointsWereRemovedAreNotReplacedUnasked) {
  save(100);
  file("config.json");
  file("best/MANIFEST");
  fs::remove_all(run + "/checkpoints");
  EXPECT_FAILS(open(), ConfigError, "best: is a finished model, but there is no checkpoint to resume from");
  EXPECT_NO_THROW(open(/*overwrite=*/true));
}

TEST_F(OpenedRunTest, ANewRunRemovesNothingThatItReads) {
  save(100);
  fs::create_directories(run + "/report");
  const std::string message = " is among the files that a new run in " + run + " replaces";
  const auto refused = [&](const std::string& name) {
    EXPECT_FAILS(open(/*overwrite=*/true), ConfigError, name + message);
  };
  const settings::RunConfig before = config;
  config.data.train.source = file("report/a.en");
  refused("data.train: " + run + "/report/a.en");
  config = before;
  config.data.valid = {file("report/v.en"), file("v.de")};
  refused("data.valid: " + run + "/report/v.en");
  config = before;
  config.data.further_valid = {{"news", {"elsewhere", file("report/n.de")}}};
  refused("data.further_valid: " + run + "/report/n.de");
  config = before;
  config.tokenizer.source = file("models/my.spm");
  refused("tokenizer.source: " + run + "/models/my.spm");
  config = before;
  config.data.valid = {file("standard-input.tsv"), ""};
  refused("data.valid: " + run + "/standard-input.tsv");
  config = before;
  config.data.train.target = run + "/standard-input.tsv";
  refused("data.train: " + run + "/standard-input.tsv");
  config = before;
  config.training.guided_alignment.links = config.data.train_links = file("report/links");
  refused("training.guided_alignment.links: " + run + "/report/links");
  config = before;
  settings::CorpusConfig corpus;
  corpus.spec = {config.data.train, "", file("report/weights")};
  config.data.train = {};
  config.data.corpora = {corpus};
  refused("data.train: " + run + "/report/weights");
  config.data.corpora[0].spec.line_weights = "";
  config.data.corpora[0].spec.documents = file("report/documents");
  refused("data.corpora: " + run + "/report/documents");
}

TEST_F(OpenedRunTest, AFolderOfSomebodyElseIsRefusedEvenToOverwrite) {
  file("models/my.spm");
  for (const bool overwrite : {false, true}) {
    EXPECT_FAILS(open(overwrite), ConfigError, "models: would be replaced by a run, but no run made it");
  }
  EXPECT_TRUE(there("models/my.spm"));
}

TEST_F(OpenedRunTest, AFinishedModelWithoutACheckpointIsNotReplacedUnasked) {
  run::mark_run_folder({run});
  file("config.json");
  model::Package package = test::tiny_package();
  const std::string weights = test::tiny_weights(package.config.architecture->src_vocab());
  package.config.provenance = R"({"checkpointed": false})";
  model::write_bundle(run + "/best", package, weights);
  EXPECT_NO_THROW(open()) << "killed right after its first validation";
  package.config.provenance = R"({"checkpointed": true})";
  model::write_bundle(run + "/best", package, weights);
  EXPECT_FAILS(open(), ConfigError, "best: is a finished model, but there is no checkpoint to resume from");
  EXPECT_NO_THROW(open(/*overwrite=*/true));
  fs::remove_all(run + "/best");
  file("final/MANIFEST");
  EXPECT_FAILS(open(), ConfigError, "final: is a finished model, but there is no checkpoint to resume from");
  EXPECT_NO_THROW(open(/*overwrite=*/true));
}

TEST_F(OpenedRunTest, BeginningAnewRemovesTheOlderRunButNotItsLogAndNotOtherFiles) {
  save(100);
  for (const char* name : {"best/MANIFEST", "final/MANIFEST", "metrics.jsonl", "train.log", "notes.txt",
                           "standard-input.tsv", ".older-standard-input.tsv"})
    file(name);
  begin_run(config, open(/*overwrite=*/true));
  for (const char* name :
       {"latest", "checkpoints", "best", "final", "metrics.jsonl", "standard-input.tsv", ".older-standard-input.tsv"})
    EXPECT_FALSE(there(name)) << name;
  EXPECT_TRUE(there("train.log") && there("notes.txt"));
  EXPECT_EQ(nlohmann::json::parse(test::file_bytes(run + "/config.json")), config.to_json());
}

TEST_F(OpenedRunTest, BeginningAnewLeavesTheStandardInputThatTheNewRunReads) {
  file("config.json");
  run::mark_run_folder({run});
  file("standard-input.tsv");
  config.data.train = {run + "/standard-input.tsv", ""};
  begin_run(config, open(/*overwrite=*/true));
  EXPECT_TRUE(there("standard-input.tsv"));
}

TEST_F(OpenedRunTest, GoingOnRemovesOnlyWhatAKilledSaveHasLeftAndWritesTheNewSettings) {
  save(100);
  for (const char* name : {"best/MANIFEST", "metrics.jsonl"}) file(name);
  for (const char* name : {"models/step-00000050/MANIFEST", "models/step-00000150/MANIFEST"}) file(name);
  config.training.after = settings::Period::parse("7e", "after");
  begin_run(config, open());
  EXPECT_TRUE(there("latest/state.json") && there("best/MANIFEST") && there("metrics.jsonl"));
  EXPECT_FALSE(there("models/step-00000050"));  // its checkpoint does not list it
  EXPECT_TRUE(there("models/step-00000150"));
  EXPECT_EQ(nlohmann::json::parse(test::file_bytes(run + "/config.json")).at("training").at("after"), "7e");
}

}  // namespace
}  // namespace ventris::preparation
