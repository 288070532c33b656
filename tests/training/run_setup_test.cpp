#include "training/run_setup.h"

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

namespace ventris::training {
namespace {

namespace fs = std::filesystem;

class RunSetup : public testing::Test {
 protected:
  RunSetup() { fs::create_directories(run); }

  OpenedRun open(bool overwrite = false) const { return open_run(config, {run, overwrite}); }

  /// A checkpoint of a run with these settings.
  void save(int64_t updates) const { save(updates, config.to_json().dump()); }
  void save(int64_t updates, const std::string& settings) const {
    const float value = 1.5F;
    const std::string bytes(reinterpret_cast<const char*>(&value), sizeof value);
    const std::string tensors = model::write_safetensors({{"w", model::DType::kF32, {1}, bytes}}, {});
    TrainingState state;
    state.progress.updates = updates;
    save_checkpoint(RunFolder{run}, {state, settings, "{}", tensors, tensors, "source", ""}, 2);
  }

  std::string file(const std::string& name) const {
    fs::create_directories(fs::path(run + "/" + name).parent_path());
    return folder.file("run/" + name, "text");
  }

  bool there(const std::string& name) const { return fs::exists(run + "/" + name); }

  test::TempFolder folder;
  std::string run = folder.path("run");
  RunConfig config = test::toy_config(test::write_toy_corpus(folder, "train", 60, 1));
};

TEST_F(RunSetup, AnEmptyFolderHasNothingToGoOnFrom) {
  const auto opened = open();
  EXPECT_FALSE(opened.checkpoint);
  EXPECT_EQ(opened.folder.path, run);
  EXPECT_TRUE(fs::is_empty(run));
}

TEST_F(RunSetup, OpeningTakesAwayHalfWrittenFilesAndNothingElse) {
  const std::string half = ".tmp-" + std::to_string(test::process_that_is_gone()) + "-best";
  for (const std::string& name : {half + "/MANIFEST", std::string("notes.txt")}) file(name);
  open(/*overwrite=*/true);
  EXPECT_TRUE(there(half)) << "no run has been here yet";
  file("config.json");
  mark_run_folder({run});
  for (const std::string& name : {"checkpoints/" + half + "/MANIFEST", std::string("metrics.jsonl")}) file(name);
  open(/*overwrite=*/true);
  EXPECT_FALSE(there(half) || there("checkpoints/" + half));
  EXPECT_TRUE(there("notes.txt") && there("metrics.jsonl") && there("checkpoints"));
}

TEST_F(RunSetup, GoesOnFromTheNewestCheckpointUnlessItIsToBeOverwritten) {
  save(100);
  save(200);
  EXPECT_EQ(open().checkpoint.value().state.progress.updates, 200);
  EXPECT_FALSE(open(/*overwrite=*/true).checkpoint);
  EXPECT_TRUE(there("latest/state.json"));  // not yet
}

TEST_F(RunSetup, SettingsThatCannotChangeAreNamed) {
  save(100);
  test::shape_of(config.model).d_ff = 128;
  EXPECT_FAILS(open(), ConfigError, "model.d_ff: the run was begun with 64 and cannot be resumed with 128");
  EXPECT_NO_THROW(open(/*overwrite=*/true));
}

TEST_F(RunSetup, SettingsThatOnlyANewerVersionKnowsAreOfTheCheckpoint) {
  auto settings = config.to_json();
  settings["training"]["later"] = 1;
  save(100, settings.dump());
  EXPECT_FAILS(open(), UnreadableError, "step-00000100/state.json: training.later: unknown setting");
  EXPECT_FAILS(open(), UnreadableError, "was it written by a newer version of ventris-train?");
}

TEST_F(RunSetup, OtherConditionsAreWarnedOfWhereTheWeightsGoByThem) {
  const auto warning = [](const std::string& before, const std::string& now) {
    Checkpoint checkpoint;
    checkpoint.environment = before;
    testing::internal::CaptureStderr();
    check_conditions(checkpoint, now);
    return testing::internal::GetCapturedStderr();
  };
  const std::string three = R"({"corpus": "c", "threads": 3, "device": "cpu"})";
  EXPECT_NE(warning(three, R"({"corpus": "c", "threads": 4, "device": "cpu"})").find("other conditions"),
            std::string::npos);
  EXPECT_EQ(warning(three, three), "");
  const std::string on_gpu = R"({"corpus": "c", "threads": 3, "device": "cuda"})";
  EXPECT_EQ(warning(on_gpu, R"({"corpus": "c", "threads": 4, "device": "cuda"})"), "") << "threads only read there";
}

TEST_F(RunSetup, DamagedCheckpointsBeginNothingAnew) {
  save(100);
  fs::resize_file(run + "/latest/model.safetensors", 10);
  EXPECT_FAILS(open(), ModelError, "no checkpoint is intact");
  EXPECT_NO_THROW(open(/*overwrite=*/true));
}

TEST_F(RunSetup, ABundleIsNoRunFolderEvenToOverwrite) {
  file("MANIFEST");
  for (const bool overwrite : {false, true})
    EXPECT_FAILS(open(overwrite), ConfigError, "run: is a bundle, not a run folder");
}

TEST_F(RunSetup, ARunKilledBeforeItsFirstCheckpointBeginsAgain) {
  mark_run_folder({run});
  file("config.json");
  file("best/MANIFEST");
  EXPECT_FALSE(open().checkpoint);
  EXPECT_TRUE(open().begun);
  EXPECT_FALSE(open(/*overwrite=*/true).begun);
}

TEST_F(RunSetup, ARunIsNotReplacedByOneThatIsMadeOfIt) {
  save(100);
  file("best/MANIFEST");
  const std::string message = "best is among the files that a new run in " + run + " replaces";
  config.training.finetune_from = run + "/../run/best";
  EXPECT_FAILS(open(/*overwrite=*/true), ConfigError, "training.finetune_from: " + run + "/../run/" + message);
}

TEST_F(RunSetup, ModelsOfARunWhoseCheckpointsWereRemovedAreNotReplacedUnasked) {
  save(100);
  file("config.json");
  file("best/MANIFEST");
  fs::remove_all(run + "/checkpoints");
  EXPECT_FAILS(open(), ConfigError, "best: is a finished model, but there is no checkpoint to resume from");
  EXPECT_NO_THROW(open(/*overwrite=*/true));
}

TEST_F(RunSetup, ANewRunRemovesNothingThatItReads) {
  save(100);
  fs::create_directories(run + "/report");
  const std::string message = " is among the files that a new run in " + run + " replaces";
  const auto refused = [&](const std::string& name) {
    EXPECT_FAILS(open(/*overwrite=*/true), ConfigError, name + message);
  };
  const RunConfig before = config;
  config.data.train.source = file("report/a.en");
  refused("data.train: " + run + "/report/a.en");
  config = before;
  config.data.valid = {file("report/v.en"), file("v.de")};
  refused("data.valid: " + run + "/report/v.en");
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
  CorpusConfig corpus;
  corpus.spec = {config.data.train, "", file("report/weights")};
  config.data.train = {};
  config.data.corpora = {corpus};
  refused("data.train: " + run + "/report/weights");
}

TEST_F(RunSetup, AFolderOfSomebodyElseIsRefusedEvenToOverwrite) {
  file("models/my.spm");
  for (const bool overwrite : {false, true}) {
    EXPECT_FAILS(open(overwrite), ConfigError, "models: would be replaced by a run, but no run made it");
  }
  EXPECT_TRUE(there("models/my.spm"));
}

TEST_F(RunSetup, AFinishedModelWithoutACheckpointIsNotReplacedUnasked) {
  mark_run_folder({run});
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

TEST_F(RunSetup, BeginningAnewRemovesTheOlderRunButNotItsLogAndNotOtherFiles) {
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

TEST_F(RunSetup, BeginningAnewLeavesTheStandardInputThatTheNewRunReads) {
  file("config.json");
  mark_run_folder({run});
  file("standard-input.tsv");
  config.data.train = {run + "/standard-input.tsv", ""};
  begin_run(config, open(/*overwrite=*/true));
  EXPECT_TRUE(there("standard-input.tsv"));
}

TEST_F(RunSetup, GoingOnRemovesOnlyWhatAKilledSaveHasLeftAndWritesTheNewSettings) {
  save(100);
  for (const char* name : {"best/MANIFEST", "metrics.jsonl"}) file(name);
  for (const char* name : {"models/step-00000050/MANIFEST", "models/step-00000150/MANIFEST"}) file(name);
  config.training.after = Period::parse("7e", "after");
  begin_run(config, open());
  EXPECT_TRUE(there("latest/state.json") && there("best/MANIFEST") && there("metrics.jsonl"));
  EXPECT_FALSE(there("models/step-00000050"));  // its checkpoint does not list it
  EXPECT_TRUE(there("models/step-00000150"));
  EXPECT_EQ(nlohmann::json::parse(test::file_bytes(run + "/config.json")).at("training").at("after"), "7e");
}

TEST_F(RunSetup, OneTokenizerIsLearntFromBothSidesIfItIsShared) {
  config.data.train = {folder.file("left", "aaa bab\n"), folder.file("right", "ccc dcd\n")};
  const auto both = prepare_tokenizers(config, {});
  EXPECT_EQ(both.source.bytes(), both.target.bytes());
  for (const char* text : {"aba", "dcd"}) EXPECT_EQ(both.source.decode(both.source.encode(text)), text);
}

TEST_F(RunSetup, ATokenizerDoesNotDependOnTheNumberOfReplicas) {  // one process of two is to give the bytes of two
  config.data.train = {folder.file("left", "aaa bab\n"), folder.file("right", "ccc dcd\n")};
  config.training.threads = 1;
  const auto one = prepare_tokenizers(config, {});
  config.training.threads = 2;
  EXPECT_EQ(prepare_tokenizers(config, {}).source.bytes(), one.source.bytes());
}

TEST_F(RunSetup, AStopSignalEndsTheReadingForATokenizer) {
  EXPECT_EXIT(
      {
        core::install_stop_handlers();
        std::raise(SIGTERM);
        try {
          prepare_tokenizers(config, {});
        } catch (const Interrupted& stop) {
          std::cerr << stop.what();
          _exit(stop.signal);
        }
        _exit(0);
      },
      testing::ExitedWithCode(SIGTERM), "stopped by a signal while reading for the tokenizer");
}

TEST_F(RunSetup, OneForEachSideIsLearntFromItsOwn) {
  config.tokenizer.shared = false;
  config.data.train = {folder.file("left", "aaa bab\n"), folder.file("right", "ccc dcd\n")};
  const auto two = prepare_tokenizers(config, {});
  EXPECT_EQ(two.source.decode(two.source.encode("aba")), "aba");
  EXPECT_EQ(two.target.decode(two.target.encode("cdc")), "cdc");
  EXPECT_NE(two.target.decode(two.target.encode("aba")), "aba");  // it has never seen these letters
}

TEST_F(RunSetup, EveryCorpusTeachesAndTagsBecomePiecesOfTheSource) {
  config.tokenizer.shared = false;
  config.data.train = {};
  CorpusConfig first, second;
  first.spec.files = {folder.file("left", "aaa bab\n"), folder.file("right", "ccc dcd\n")};
  second.spec = {{folder.file("both.tsv", "eee fef\tghg\n"), ""}, "<bt>"};
  config.data.corpora = {first, second, second};
  const auto two = prepare_tokenizers(config, {});
  EXPECT_EQ(two.source.decode(two.source.encode("fab")), "fab");
  EXPECT_EQ(two.target.decode(two.target.encode("hgc")), "hgc");
  EXPECT_FALSE(data::tag_ids(two.source, "<bt>").empty());
  EXPECT_FAILS(data::tag_ids(two.target, "<bt>"), ConfigError, "the tag '<bt>' is not a single piece");
}

TEST_F(RunSetup, TwoColumnsTeachWhatTwoFilesDo) {
  config.data.train = {folder.file("left", "aaa bab\nab b\n"), folder.file("right", "ccc dcd\ncd\n")};
  const auto files = prepare_tokenizers(config, {});
  config.data.train = {folder.file("both.tsv", "aaa bab\tccc dcd\nab b\tcd\n"), ""};
  EXPECT_EQ(prepare_tokenizers(config, {}).source.bytes(), files.source.bytes());
  folder.file("both.tsv", "aaa bab\tccc dcd\nab b\n");
  EXPECT_FAILS(prepare_tokenizers(config, {}), DataError, "both.tsv:2: expected 2 columns separated by TABs, found 1");
}

TEST_F(RunSetup, ALineTooLongToReadTeachesNothingInTwoColumns) {
  const std::string endless(2 << 20, 'x');  // cut before its TAB
  config.data.train = {folder.file("both.tsv", endless + "\tred\naaa bab\tccc dcd\n"), ""};
  const auto tokenizer = prepare_tokenizers(config, {}).source;
  EXPECT_EQ(tokenizer.decode(tokenizer.encode("dab")), "dab");
  EXPECT_NE(tokenizer.decode(tokenizer.encode("x")), "x");
}

TEST_F(RunSetup, AGivenTokenizerIsTakenAsItIs) {
  const std::string given = prepare_tokenizers(config, {}).source.bytes();
  config.tokenizer.source = folder.file("given.spm", given);
  config.data.train = {"none", "none"};
  EXPECT_EQ(prepare_tokenizers(config, {}).target.bytes(), given);
  config.tokenizer.source = folder.file("broken.spm", "no tokenizer");
  EXPECT_FAILS(prepare_tokenizers(config, {}), ModelError, "broken.spm");
}

TEST_F(RunSetup, ASecondTokenizerNeedsThemNotToBeShared) {
  config.tokenizer.target = "other.spm";
  EXPECT_FAILS(prepare_tokenizers(config, {}), ConfigError,
               "tokenizer.target: a second tokenizer (other.spm) needs \"shared\": false");
}

TEST_F(RunSetup, ARunThatGoesOnKeepsTheTokenizersOfItsCheckpoint) {
  config.tokenizer.shared = false;
  config.data.train = {folder.file("left", "aaa bab\n"), folder.file("right", "ccc dcd\n")};
  const auto begun = prepare_tokenizers(config, {});
  OpenedRun opened;
  opened.checkpoint.emplace();
  opened.checkpoint->source_spm = begun.source.bytes();
  opened.checkpoint->target_spm = begun.target.bytes();
  config.data.train = {"none", "none"};  // nothing is learnt anew
  config.tokenizer.source = folder.file("same.spm", begun.source.bytes());
  config.tokenizer.target = folder.path("gone.spm");
  const auto kept = prepare_tokenizers(config, opened);
  EXPECT_EQ(kept.source.bytes(), begun.source.bytes());
  EXPECT_EQ(kept.target.bytes(), begun.target.bytes());
  config.tokenizer.target = config.tokenizer.source;
  EXPECT_FAILS(prepare_tokenizers(config, opened), ConfigError,
               "tokenizer.target: " + config.tokenizer.target + " is not the tokenizer that this run was begun with");
}

TEST_F(RunSetup, APackageHoldsTheTokenizersAndTheirSizes) {
  config.tokenizer.shared = false;
  config.decoding.beam_size = 7;
  const auto tokenizers = prepare_tokenizers(config, {});
  const auto package = package_of(config, tokenizers);
  EXPECT_EQ(package.config.architecture->src_vocab(), tokenizers.source.size());
  EXPECT_EQ(package.config.architecture->tgt_vocab(), tokenizers.target.size());
  EXPECT_EQ(test::shape_of(package.config).d_model, 32);
  EXPECT_EQ(package.config.decoding.beam_size, 7);
  EXPECT_FALSE(package.config.tokenizer.shared);
  EXPECT_EQ(package.source_spm, tokenizers.source.bytes());
  EXPECT_EQ(package.target_spm, tokenizers.target.bytes());
}

}  // namespace
}  // namespace ventris::training
