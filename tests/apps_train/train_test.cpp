#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "model/package.h"
#include "support/bad_tokenizer.h"
#include "support/changed_weights.h"
#include "support/run_program.h"
#include "support/temp_folder.h"
#include "support/toy_corpus.h"

namespace ventris::test {
namespace {

namespace fs = std::filesystem;

class VentrisTrain : public testing::Test {
 protected:
  std::vector<std::string> arguments(const std::vector<std::string>& more, const std::string& run = "run") const {
    std::vector<std::string> all{"-c", settings, "--train", train.source, train.target, "-m", folder.path(run)};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  Outcome run(const std::vector<std::string>& more, const std::string& name = "run") const {
    return run_program("ventris-train", arguments(more, name));
  }
  void expect_refused(const Outcome& outcome, int code, const std::string& text) const {
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }

  TempFolder folder;
  std::string settings = folder.file("settings.json", kToySettings);
  ToyCorpus train = write_toy_corpus(folder, "train", 400, 1);
  ToyCorpus valid = write_toy_corpus(folder, "valid", 30, 2);
};

TEST_F(VentrisTrain, LeavesBundlesCheckpointsAndARecordOfTheRun) {
  const Outcome outcome = run({"--valid", valid.source, valid.target, "--after", "40u"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* name : {"config.json", "metrics.jsonl", "train.log", "report.html", "latest/state.json",
                           "best/MANIFEST", "final/MANIFEST"}) {
    EXPECT_TRUE(fs::exists(folder.path("run") + "/" + name)) << name;
  }
  std::istringstream metrics(file_bytes(folder.path("run/metrics.jsonl")));
  std::string line;
  int train_lines = 0, valid_lines = 0;
  while (std::getline(metrics, line)) {
    const auto event = nlohmann::json::parse(line);
    (event.at("kind") == "train" ? train_lines : valid_lines) += 1;
    EXPECT_TRUE(event.contains("loss"));
  }
  EXPECT_EQ(train_lines, 8);
  EXPECT_EQ(valid_lines, 2);
}

TEST_F(VentrisTrain, AReportThatCannotBeWrittenIsAWarningAndChangesNothing) {
  ASSERT_EQ(run({"--valid", valid.source, valid.target, "--after", "20u"}, "whole").code, 0);
  ASSERT_EQ(run({"--valid", valid.source, valid.target, "--after", "10u"}).code, 0);
  fs::remove(folder.path("run/report.html"));
  fs::remove_all(folder.path("run/report"));
  fs::create_directories(folder.path("run/report.html/in the way"));
  folder.file("run/report", "in the way too");
  const Outcome outcome = run({"--valid", valid.source, valid.target, "--after", "20u"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("the report of the run is incomplete: "), std::string::npos) << outcome.err;
  EXPECT_EQ(file_bytes(folder.path("run/final/model.safetensors")),
            file_bytes(folder.path("whole/final/model.safetensors")));
}

TEST_F(VentrisTrain, OverwritingRemovesTheReportAndTheEventsOfTheOlderRun) {
  ASSERT_EQ(run({"--valid", valid.source, valid.target, "--after", "20u"}).code, 0);
  const std::string off = folder.file("off.json", R"({"training": {"report": false, "tensorboard": false}})");
  ASSERT_EQ(run({"--after", "5u", "--overwrite", "-c", off}).code, 0);
  EXPECT_FALSE(fs::exists(folder.path("run/report.html")));
  EXPECT_FALSE(fs::exists(folder.path("run/report")));
  for (const auto& entry : fs::directory_iterator(folder.path("run"))) {
    EXPECT_EQ(entry.path().string().find("tfevents"), std::string::npos) << entry;
  }
}

TEST_F(VentrisTrain, CalledAgainOnAFinishedRunItChangesNothing) {
  ASSERT_EQ(run({"--after", "10u"}).code, 0);
  const std::string before = file_bytes(folder.path("run/final/model.safetensors"));
  const Outcome again = run({"--after", "10u"});
  EXPECT_EQ(again.code, 0);
  EXPECT_NE(again.err.find("this run is finished"), std::string::npos);
  EXPECT_EQ(file_bytes(folder.path("run/final/model.safetensors")), before);
}

TEST_F(VentrisTrain, TheSameSeedAndThreadCountGiveTheSameModel) {
  for (const char* threads : {"1", "2"}) {
    ASSERT_EQ(run({"--after", "12u", "--threads", threads}, "a").code, 0);
    ASSERT_EQ(run({"--after", "12u", "--threads", threads, "--overwrite"}, "b").code, 0);
    EXPECT_EQ(file_bytes(folder.path("a/final/model.safetensors")),
              file_bytes(folder.path("b/final/model.safetensors")))
        << threads;
    fs::remove_all(folder.path("a"));
  }
}

TEST_F(VentrisTrain, TwoFilesOrOneWithTabsTrainTheSameModel) {
  std::istringstream sources(file_bytes(train.source)), targets(file_bytes(train.target));
  std::string source, target, both;
  while (std::getline(sources, source) && std::getline(targets, target)) both += source + "\t" + target + "\n";
  const std::string tsv = folder.file("both.tsv", both);
  ASSERT_EQ(run({"--after", "6u"}, "files").code, 0);
  ASSERT_EQ(
      run_program("ventris-train", {"-c", settings, "--train-tsv", tsv, "-m", folder.path("tsv"), "--after", "6u"})
          .code,
      0);
  EXPECT_EQ(file_bytes(folder.path("files/final/model.safetensors")),
            file_bytes(folder.path("tsv/final/model.safetensors")));
}

TEST_F(VentrisTrain, ARepeatedTrainFlagGivesSeveralCorporaAndBeatsTheFiles) {
  const std::string file = folder.file("files.json", R"({"data": {"corpora": [{"tsv": "none"}]}})");
  const auto data = [&](const std::vector<std::string>& flags) {
    std::vector<std::string> all{"-c", file, "--dump-config"};
    all.insert(all.end(), flags.begin(), flags.end());
    const Outcome outcome = run_program("ventris-train", all);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out).at("data");
  };
  using Json = nlohmann::json;
  EXPECT_EQ(data({})["corpora"], Json::parse(R"([{"tsv": "none"}])"));
  EXPECT_EQ(data({"--train", "a", "b"})["train"], Json::parse(R"(["a", "b"])"));
  EXPECT_EQ(data({"--train", "a", "b"})["corpora"], Json::array());
  EXPECT_EQ(data({"--train", "a", "b", "--train", "c", "d"})["corpora"],
            Json::parse(R"([{"source": "a", "target": "b"}, {"source": "c", "target": "d"}])"));
  EXPECT_EQ(data({"--train-tsv", "a", "--train-tsv", "-"})["corpora"], Json::parse(R"([{"tsv": "a"}, {"tsv": "-"}])"));
  EXPECT_EQ(run_program("ventris-train", {"--train", "a", "--dump-config"}).code, 2);
}

TEST_F(VentrisTrain, CorporaWithWeightsTagsAndLineWeightsTrainAndGoOn) {
  const ToyCorpus more = write_toy_corpus(folder, "more", 100, 7);
  std::string weights;
  for (int i = 0; i < 100; ++i) weights += "0." + std::to_string(1 + i % 9) + "\n";
  nlohmann::json data = {{"corpora",
                          {{{"source", train.source}, {"target", train.target}, {"weight", 1}},
                           {{"source", more.source},
                            {"target", more.target},
                            {"weight", 2},
                            {"tag", "<bt>"},
                            {"line_weights", folder.file("weights", weights)}}}}};
  const std::string file = folder.file("mixed.json", nlohmann::json{{"data", data}}.dump());
  const auto mixed = [&](const std::string& name, const std::string& length, const std::string& cache) {
    std::vector<std::string> all{"-c", settings, "-c", file, "-m", folder.path(name), "--after", length};
    all.insert(all.end(), {"--subword-sampling", "0.2"});
    if (!cache.empty()) all.insert(all.end(), {"--cache", folder.path(cache)});
    return run_program("ventris-train", all);
  };
  const Outcome whole = mixed("whole", "3e", "");
  ASSERT_EQ(whole.code, 0) << whole.err;
  EXPECT_NE(whole.err.find("66.7 % of an epoch"), std::string::npos) << whole.err;
  ASSERT_EQ(mixed("parts", "7u", "pairs").code, 0);
  ASSERT_EQ(mixed("parts", "3e", "pairs").code, 0);
  EXPECT_EQ(file_bytes(folder.path("parts/final/model.safetensors")),
            file_bytes(folder.path("whole/final/model.safetensors")));
  folder.file("weights", "1\n" + weights.substr(weights.find('\n') + 1));
  expect_refused(mixed("whole", "4e", ""), 2, "the run was begun with another corpus (500 pairs");
}

TEST_F(VentrisTrain, StandardInputIsKeptAndReadAgainWhenTheRunGoesOn) {
  std::istringstream sources(file_bytes(train.source)), targets(file_bytes(train.target));
  std::string source, target, both;
  while (std::getline(sources, source) && std::getline(targets, target)) both += source + "\t" + target + "\n";
  const auto piped = [&](const std::string& length, const std::string& input) {
    return run_program("ventris-train",
                       {"-c", settings, "--train-tsv", "-", "-m", folder.path("piped"), "--after", length}, input);
  };
  fs::create_directories(folder.path("piped/best"));
  expect_refused(piped("6u", both), 2, "best: would be replaced by a run");
  EXPECT_FALSE(fs::exists(folder.path("piped/standard-input.tsv"))) << "what can be read once was read in vain";
  fs::remove_all(folder.path("piped"));
  expect_refused(piped("6u", ""), 3, "standard input: is empty");
  ASSERT_EQ(piped("6u", both).code, 0);
  EXPECT_EQ(file_bytes(folder.path("piped/standard-input.tsv")), both);
  const Outcome on = piped("9u", "");
  ASSERT_EQ(on.code, 0) << on.err;
  EXPECT_NE(on.err.find("standard input is not read: the run continues with"), std::string::npos) << on.err;
  ASSERT_EQ(run({"--after", "9u"}).code, 0);
  EXPECT_EQ(file_bytes(folder.path("piped/final/model.safetensors")),
            file_bytes(folder.path("run/final/model.safetensors")));
  expect_refused(
      run_program("ventris-train", {"-c", settings, "--train-tsv", "-", "-m", folder.path("piped"), "--overwrite"},
                  "a\tb\nno tab\n"),
      3, "standard-input.tsv:2: expected 2 columns");
  EXPECT_EQ(file_bytes(folder.path("piped/standard-input.tsv")), both) << "the older run lost its corpus";
  for (const char* saved : {"latest", "checkpoints", "final"}) fs::remove_all(folder.path("piped") + "/" + saved);
  const Outcome again = piped("9u", "");  // as if it had been killed before its first checkpoint
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_NE(again.err.find("had not saved a checkpoint yet: it starts from the beginning"), std::string::npos)
      << again.err;
  EXPECT_EQ(file_bytes(folder.path("piped/final/model.safetensors")),
            file_bytes(folder.path("run/final/model.safetensors")));
}

TEST_F(VentrisTrain, ACacheThatCannotBeWrittenIsExit74AndLeavesNothing) {
  expect_refused(run({"--after", "2u", "--cache", train.source + "/cache"}), 74, "cannot create the cache folder");
  const std::string command = "ulimit -f 8; exec " + program_path("ventris-train") + " -c " + settings + " --train " +
                              train.source + " " + train.target + " -m " + folder.path("run") + " --cache " +
                              folder.path("cache") + " --after 3u";
  const int status = std::system(("bash -c '" + command + "' 2> " + folder.path("err")).c_str());
  EXPECT_EQ(WEXITSTATUS(status), 74) << file_bytes(folder.path("err"));
  EXPECT_NE(file_bytes(folder.path("err")).find("corpus.cache: cannot be written"), std::string::npos)
      << file_bytes(folder.path("err"));
  for (const auto& entry : fs::directory_iterator(folder.path("cache")))
    EXPECT_EQ(entry.path().filename(), "corpus.cache.lock");
}

TEST_F(VentrisTrain, ATagThatAGivenTokenizerDoesNotHoldIsExit2) {
  ASSERT_EQ(run({"--after", "1u"}).code, 0);
  const std::string file =
      folder.file("tagged.json", R"({"data": {"corpora": [{"source": ")" + train.source + R"(", "target": ")" +
                                     train.target + R"(", "tag": "<x>"}]}})");
  expect_refused(run_program("ventris-train", {"-c", settings, "-c", file, "-m", folder.path("tagged"),
                                               "--source-tokenizer", folder.path("run/final/source.spm")}),
                 2, "the tag '<x>' is not a single piece");
}

TEST_F(VentrisTrain, DumpConfigPrintsTheMergedSettings) {
  const Outcome outcome = run({"--after", "7e", "--dump-config"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto dumped = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(dumped.at("training").at("after"), "7e");
  EXPECT_EQ(dumped.at("model").at("d_model"), 32);
  EXPECT_FALSE(fs::exists(folder.path("run")));
}

TEST_F(VentrisTrain, DumpConfigNeedsNoCorpus) {
  const std::string best = folder.file("best.json", R"({"training": {"keep_best": 3, "average_best": 3}})");
  const Outcome outcome = run_program("ventris-train", {"-c", best, "--dump-config"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(nlohmann::json::parse(outcome.out).at("training").at("keep_best"), 3);
  expect_refused(run({"-c", best, "--after", "2u"}), 2, "training.average_best: needs a validation corpus");
}

TEST_F(VentrisTrain, AValidationCorpusOfASettingsFileBesideATrainingCorpusOfAFlagIsToldOf) {
  const nlohmann::json data = {{"data", {{"train", {"a", "b"}}, {"valid", {valid.source, valid.target}}}}};
  const std::string file = folder.file("valid.json", data.dump());
  const std::string said = "is that of a settings file (-c); does it belong to this training corpus?";
  EXPECT_NE(run({"-c", file, "--after", "1u"}).err.find(said), std::string::npos);
  EXPECT_EQ(run({"-c", file, "--after", "1u", "--overwrite", "--valid", valid.source, valid.target}).err.find(said),
            std::string::npos);
  nlohmann::json same = data;
  same["data"]["train"] = {train.source, train.target};
  EXPECT_EQ(run({"-c", folder.file("same.json", same.dump()), "--after", "1u", "--overwrite"}).err.find(said),
            std::string::npos);
}

TEST_F(VentrisTrain, PatienceWithoutAValidationCorpusIsToldOf) {
  EXPECT_NE(run({"--patience", "3", "--after", "1u"}).err.find("validation.patience: has no effect"),
            std::string::npos);
}

TEST_F(VentrisTrain, NamesTheFileOfAnUnknownSetting) {
  const std::string good = folder.file("good.json", R"({"training": {"after": "1u"}})");
  const std::string bad = folder.file("bad.json", R"({"data": {"further_valid": [{"file": "a"}]}})");
  expect_refused(run({"-c", good, "-c", bad, "-c", good}), 2, bad + ": data.further_valid[0].file: unknown setting");
}

TEST_F(VentrisTrain, RefusesBadSettingsWithExit2) {
  const auto with = [&](const std::string& text) {
    return run_program("ventris-train", {"-c", folder.file("bad.json", text), "--train", train.source, train.target,
                                         "-m", folder.path("bad")});
  };
  expect_refused(with(R"({"training": {"batch_token": 4}})"), 2,
                 "training.batch_token: unknown setting (did you mean 'batch_tokens'?)");
  expect_refused(with(R"({"training": {"batch_tokens": "x"}})"), 2, "training.batch_tokens: expected a whole number");
  expect_refused(with("{\n \"training\": }"), 2, "bad.json:2:");
  expect_refused(with(""), 2, "bad.json: the settings file is empty");
  expect_refused(run({"--after", "soon"}), 2, "training.after: expected an amount of training");
  expect_refused(run({"--after", "0.5e"}), 2, "training.after: expected whole epochs, got '0.5e'; give updates");
  expect_refused(run({"--after", "1e", "--valid-freq", "0.5e"}), 2, "validation.every: expected whole epochs");
  expect_refused(run({"--aftr", "1u"}), 2, "did you mean '--after'");
  expect_refused(run({"--batch-tokens", "3"}), 2, "batch_tokens");
  expect_refused(run_program("ventris-train", {"-c", settings, "-m", folder.path("x")}), 2,
                 "no training corpus is given");
  expect_refused(run_program("ventris-train", {"-c", settings, "--train", train.source, train.target}), 2, "--model");
  expect_refused(run({"--precision", "f16"}), 2, "training.precision");
  expect_refused(run({"--ema-decay", "1"}), 2, "training.ema_decay: must be under 1");
  expect_refused(run({"--threads", "2000"}), 2, "training.threads: must be at most 1024");
  expect_refused(run({"--train-tsv", train.source}), 2, "--train excludes --train-tsv");
  expect_refused(run({"--valid", valid.source, "--quiet"}), 2, "--valid: At least 2 required but received 1");
  expect_refused(run({"--valid", valid.source, valid.target, train.source}), 2,
                 "--valid: expected pairs of a source and a target file, got an odd number: ");
  expect_refused(run({"--device", "gpu"}), 2, "expected cpu, cuda or cuda:N");
  expect_refused(with(R"({"tokenizer": {"shared": false}, "model": {"tying": "all"}})"), 2,
                 "model.tying: 'all' shares the embeddings of both sides");
  expect_refused(with(R"({"decoding": {"length_alpha": 11}})"), 2, "decoding.length_alpha: must be at most 10, got 11");
  expect_refused(with(R"({"validation": {"beam_size": 1000000000000}})"), 2, "validation: ");
}

TEST_F(VentrisTrain, RefusesBadDataWithExit3) {
  const auto with = [&](const std::string& source, const std::string& target) {
    return run_program("ventris-train",
                       {"-c", settings, "--train", source, target, "-m", folder.path("bad"), "--after", "2u"});
  };
  expect_refused(with(folder.path("none"), train.target), 3, "none: cannot be read");
  expect_refused(with(folder.path(), train.target), 3, "is a folder");
  expect_refused(with(folder.file("empty", ""), folder.file("empty2", "")), 3, "empty");
  const std::string shorter = folder.file("short", "one line\n");
  const Outcome outcome = with(train.source, shorter);
  expect_refused(outcome, 3, "400");
  EXPECT_NE(outcome.err.find(shorter), std::string::npos);
  expect_refused(with(folder.file("blank", "\n \n"), folder.file("blank2", "a\nb\n")), 3, "no sentence pair is left");
}

TEST_F(VentrisTrain, AVocabularyLargerThanTheTextAllowsIsRefusedOnlyWhenExact) {
  EXPECT_EQ(run({"--after", "2u", "--vocab-size", "5000"}).code, 0);
  const std::string exact = folder.file("exact.json", R"({"tokenizer": {"exact_size": true, "vocab_size": 5000}})");
  expect_refused(run({"-c", exact, "--after", "2u"}, "exact"), 2, "5000");
}

TEST_F(VentrisTrain, AOneLineCorpusAndAMegabyteLineTrain) {
  const std::string one = folder.file("one.src", "hello world\n"), two = folder.file("one.tgt", "world hello\n");
  const Outcome outcome =
      run_program("ventris-train", {"-c", settings, "--train", one, two, "-m", folder.path("one"), "--after", "3u"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::string huge(1 << 20, 'x');
  const std::string source = folder.file("huge.src", file_bytes(train.source) + huge + "\n");
  const std::string target = folder.file("huge.tgt", file_bytes(train.target) + huge + "\n");
  const Outcome second = run_program(
      "ventris-train", {"-c", settings, "--train", source, target, "-m", folder.path("huge"), "--after", "2u"});
  EXPECT_EQ(second.code, 0) << second.err;
  EXPECT_NE(second.err.find("401 lines"), std::string::npos) << second.err;
}

TEST_F(VentrisTrain, GoesOnOnlyWithTheSettingsItWasBegunWith) {
  ASSERT_EQ(run({"--after", "6u"}).code, 0);
  const std::string before = file_bytes(folder.path("run/final/model.safetensors"));
  expect_refused(run({"--after", "9u", "--label-smoothing", "0.3"}), 2,
                 "training.label_smoothing: the run was begun with 0.1 and cannot be resumed with 0.3");
  EXPECT_EQ(file_bytes(folder.path("run/final/model.safetensors")), before);
  EXPECT_EQ(run({"--after", "9u"}).code, 0);
  EXPECT_NE(file_bytes(folder.path("run/final/model.safetensors")), before);
}

TEST_F(VentrisTrain, GoesOnOnlyWithTheDataItWasBegunWith) {
  ASSERT_EQ(run({"--valid", valid.source, valid.target, "--after", "6u"}).code, 0);
  const ToyCorpus other = write_toy_corpus(folder, "other", 400, 9);
  const auto go_on = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all{"-c", settings, "-m", folder.path("run"), "--after", "9u"};
    all.insert(all.end(), more.begin(), more.end());
    return run_program("ventris-train", all);
  };
  expect_refused(go_on({"--train", other.source, other.target}), 2,
                 "data.train: the run was begun with another corpus (400 pairs");
  ASSERT_EQ(run({"--after", "1u"}, "elsewhere").code, 0);
  const std::string foreign = folder.file("foreign.spm", file_bytes(folder.path("elsewhere/final/source.spm")) + "x");
  expect_refused(go_on({"--train", train.source, train.target, "--source-tokenizer", foreign}), 2,
                 "is not the tokenizer that this run was begun with");
  expect_refused(go_on({"--train", train.source, train.target, "--metric", "loss"}), 2,
                 "validation.metric: the run was begun with");
  EXPECT_EQ(go_on({"--train", train.source, train.target}).code, 0);
}

TEST_F(VentrisTrain, ReplacesAnOlderRunOnlyOnceTheNewOneCanBegin) {
  ASSERT_EQ(run({"--after", "6u"}).code, 0);
  const std::string before = file_bytes(folder.path("run/final/model.safetensors"));
  expect_refused(run({"--after", "9u", "--overwrite", "--source-tokenizer", folder.path("none.spm")}), 3,
                 "none.spm: cannot be read");
  expect_refused(run({"--after", "9u", "--overwrite", "--batch-tokens", "3"}), 2, "batch_tokens");
  EXPECT_EQ(file_bytes(folder.path("run/final/model.safetensors")), before);
  EXPECT_EQ(run({"--after", "6u"}).code, 0);
  const std::string own = folder.path("run/final/source.spm");
  expect_refused(run({"--after", "2u", "--overwrite", "--source-tokenizer", own}), 2,
                 "tokenizer.source: " + own + " is among the files that a new run in");
  EXPECT_EQ(file_bytes(folder.path("run/final/model.safetensors")), before);
}

TEST_F(VentrisTrain, ModelsThatNoRunOfOursCanGoOnFromAreLeftAlone) {
  ASSERT_EQ(run({"--after", "3u"}).code, 0);
  const std::string bundle = file_bytes(folder.path("run/final/config.json"));
  for (const char* flag : {"--quiet", "--overwrite"}) {
    expect_refused(run({"--after", "3u", flag}, "run/final"), 2, "run/final: is a bundle, not a run folder");
  }
  EXPECT_EQ(file_bytes(folder.path("run/final/config.json")), bundle);
  fs::remove_all(folder.path("run/checkpoints"));
  expect_refused(run({"--after", "3u"}), 2,
                 "run/final: is a finished model, but there is no checkpoint to resume from");
  EXPECT_EQ(file_bytes(folder.path("run/final/config.json")), bundle);
  EXPECT_EQ(run({"--after", "3u", "--overwrite"}).code, 0);
}

TEST_F(VentrisTrain, NothingIsLostInAFolderThatIsNotARun) {
  const std::vector<std::string> theirs{
      "checkpoints/last.ckpt",       "models/my.spm", "report/a.en",    "metrics.jsonl", "report.html", "latest",
      "events.out.tfevents.17.host", "config.json",   "best/thesis.txt"};
  for (const std::string& name : theirs) {
    fs::create_directories(fs::path(folder.path("run/" + name)).parent_path());
    folder.file("run/" + name, kToySettings);
  }
  for (const char* anew : {"--quiet", "--overwrite"}) {
    expect_refused(run({"--after", "2u", anew}), 2, ": would be replaced by a run, but no run made it");
    expect_refused(run({"--after", "2u", anew, "-c", folder.path("run/config.json")}), 2, "would be replaced by a run");
  }
  for (const std::string& name : theirs) EXPECT_EQ(file_bytes(folder.path("run/" + name)), kToySettings) << name;
  EXPECT_FALSE(fs::exists(folder.path("run/.lock")));
}

TEST_F(VentrisTrain, OverwritingRemovesOnlyWhatTheRunMade) {
  ASSERT_EQ(run({"--valid", valid.source, valid.target, "--after", "10u"}).code, 0);
  const std::vector<std::string> theirs{"best/thesis.txt", "report/notes", "checkpoints/notes", "latest/notes",
                                        "notes"};
  for (const std::string& name : theirs) folder.file("run/" + name, "mine");
  const std::string step = fs::read_symlink(folder.path("run/latest")).string();
  ASSERT_EQ(run({"--valid", valid.source, valid.target, "--after", "20u"}).code, 0);  // goes on, with another best/
  ASSERT_EQ(run({"--valid", valid.source, valid.target, "--after", "5u", "--overwrite"}).code, 0);
  for (const std::string& name : {std::string("best/thesis.txt"), std::string("report/notes"),
                                  std::string("checkpoints/notes"), step + "/notes", std::string("notes")}) {
    EXPECT_EQ(file_bytes(folder.path("run/" + name)), "mine") << name;
  }
  const std::string corpus = folder.file("run/report/a.en", file_bytes(train.source));
  expect_refused(run_program("ventris-train", {"-c", settings, "--train", corpus, train.target, "-m",
                                               folder.path("run"), "--overwrite", "--after", "5u"}),
                 2, "data.train: " + corpus + " is among the files that a new run in");
  EXPECT_EQ(file_bytes(corpus), file_bytes(train.source));
}

TEST_F(VentrisTrain, ARunThatCannotBeginLeavesNoMark) {
  const std::string exact = folder.file("exact.json", R"({"tokenizer": {"exact_size": true, "vocab_size": 30000}})");
  ASSERT_EQ(run({"-c", exact, "--after", "2u"}).code, 2);
  EXPECT_FALSE(fs::exists(folder.path("run/RUN")));
  folder.file("run/report.html", "mine");
  expect_refused(run({"--after", "2u"}), 2, "report.html: would be replaced by a run");
}

TEST_F(VentrisTrain, ARunOfVersion01GoesOnAndIsOverwritten) {
  ASSERT_EQ(run({"--after", "4u"}).code, 0);
  fs::remove(folder.path("run/RUN"));
  ASSERT_EQ(run({"--after", "6u"}).code, 0);
  EXPECT_TRUE(fs::exists(folder.path("run/RUN")));
  fs::remove(folder.path("run/RUN"));
  EXPECT_EQ(run({"--after", "2u", "--overwrite"}).code, 0);
}

TEST_F(VentrisTrain, AFlagInThePlaceOfATargetFileIsNamed) {
  expect_refused(run_program("ventris-train", {"--train", train.source, "-m", folder.path("run")}), 2,
                 "--train: expected pairs of a source and a target file, found -m after " + train.source);
}

TEST_F(VentrisTrain, FilesOfACorpusComeInPairs) {
  for (const std::vector<std::string>& extra : {std::vector<std::string>{"zzz"}, {"b.en", "b.de", "zzz"}}) {
    std::vector<std::string> words{"-c", settings, "-m", folder.path("run"), "--train", train.source, train.target};
    words.insert(words.end(), extra.begin(), extra.end());
    expect_refused(run_program("ventris-train", words), 2, "got an odd number: " + train.source);
  }
  EXPECT_FALSE(fs::exists(folder.path("run")));
  const Outcome two = run_program("ventris-train", {"-c", settings, "-m", folder.path("run"), "--after", "2u",
                                                    "--train", train.source, train.target, valid.source, valid.target});
  EXPECT_NE(two.err.find("2 training corpora"), std::string::npos) << two.err;
}

TEST_F(VentrisTrain, EmptyFlagsAndNumbersThatDoNotFitAreRefused) {
  expect_refused(run({"--after", ""}), 2, "training.after: expected an amount of training");
  expect_refused(run({"--after", "2u", "--source-tokenizer", ""}), 2, "--source-tokenizer: expected a path");
  expect_refused(run({"--after", "2u", "--finetune-from", ""}), 2, "--finetune-from: expected a path");
  expect_refused(run({"--seed", "18446744073709551616"}), 2, "--seed: expected a whole number from 0");
  const Outcome largest = run({"--seed", "18446744073709551615", "--dump-config"});
  EXPECT_EQ(nlohmann::json::parse(largest.out)["training"]["seed"], 18446744073709551615U) << largest.err;
}

TEST_F(VentrisTrain, PatienceThatEndsARunSaysSoWithTheBestValue) {
  const std::string still = folder.file("still.json", R"({"training": {"schedule": {"learning_rate": 0}},
    "validation": {"every": "2u", "patience": 2}})");
  const Outcome outcome = run({"-c", still, "--valid", valid.source, valid.target, "--after", "20u"});
  ASSERT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.err.find("stopped early (validation.patience): the last 2 validations brought nothing better than "
                             "bleu "),
            std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find(" at update 2\n"), std::string::npos) << outcome.err;
}

TEST_F(VentrisTrain, PatienceEndsARunAndMorePatienceGoesOnWithIt) {
  const std::string still = folder.file("still.json", R"({"training": {"schedule": {"learning_rate": 0}},
    "validation": {"every": "2u", "metric": "loss", "patience": 2}})");
  const std::vector<std::string> flags{"-c", still, "--valid", valid.source, valid.target, "--after", "20u"};
  ASSERT_EQ(run(flags).code, 0);
  const auto updates = [&] {
    return nlohmann::json::parse(file_bytes(folder.path("run/latest/state.json")))["state"]["progress"]["updates"]
        .get<int>();
  };
  EXPECT_EQ(updates(), 6);
  const Outcome again = run(flags);
  EXPECT_NE(again.err.find("its last 2 validations brought nothing better than loss "), std::string::npos) << again.err;
  auto patient = flags;
  patient.insert(patient.end(), {"--patience", "0"});
  EXPECT_EQ(run(patient).code, 0);
  EXPECT_EQ(updates(), 20);
}

TEST_F(VentrisTrain, ATokenizerForEachSideTrainsAndTranslates) {
  const std::string two = folder.file("two.json", R"({"tokenizer": {"shared": false}, "model": {"tying": "decoder"}})");
  ASSERT_EQ(run({"-c", two, "--valid", valid.source, valid.target, "--after", "6u"}).code, 0);
  EXPECT_TRUE(fs::exists(folder.path("run/final/target.spm")));
  EXPECT_TRUE(fs::exists(folder.path("run/latest/target.spm")));
  EXPECT_EQ(run({"-c", two, "--valid", valid.source, valid.target, "--after", "8u"}).code, 0);
  const Outcome outcome = run_program("ventris-translate", {"-m", folder.path("run/final"), "-i", valid.source});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 30);
}

TEST_F(VentrisTrain, ADamagedCheckpointIsNamedAndExit4) {
  ASSERT_EQ(run({"--after", "4u"}).code, 0);
  fs::resize_file(folder.path("run/latest/optimizer.safetensors"), 100);
  expect_refused(run({"--after", "9u"}), 4, "optimizer.safetensors: damaged");
  EXPECT_EQ(run({"--after", "4u", "--overwrite"}).code, 0);
}

TEST_F(VentrisTrain, AveragesTheBestModelsAndTranslatesWithTheMean) {
  ASSERT_EQ(run({"--valid", valid.source, valid.target, "--after", "12u", "--valid-freq", "3u", "--average-best", "2",
                 "--keep-best", "3"})
                .code,
            0);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path("run/models")), fs::directory_iterator()), 3);
  const Outcome outcome = run_program("ventris-translate", {"-m", folder.path("run/averaged"), "-i", valid.source});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(file_bytes(folder.path("run/metrics.jsonl")).find(R"({"kind":"averaged","updates":12,)"),
            std::string::npos);
  expect_refused(run({"--average-best", "2", "--average-last", "2"}), 2, "excludes");
  expect_refused(run({"--average-best", "2"}, "other"), 2, "training.average_best: needs a validation corpus");
  expect_refused(run({"--average-last", "1"}, "other"), 2, "training.average_last: expected 0 (none) or at least 2");
}

TEST_F(VentrisTrain, EmbeddingsStartFromWordVectorsWhichAreNeededOnlyOnce) {
  std::string numbers;
  for (int i = 1; i <= 32; ++i) numbers += " " + std::to_string(i);
  const std::string vectors = folder.file("words.vec", "2 32\nhouse" + numbers + "\nunheard" + numbers + "\n");
  const std::vector<std::string> flags{"--source-vectors", vectors, "--target-vectors", vectors, "--after"};
  const auto with = [&](const std::string& length) {
    std::vector<std::string> all = flags;
    all.push_back(length);
    return run(all);
  };
  const Outcome begun = with("2u");
  ASSERT_EQ(begun.code, 0) << begun.err;
  EXPECT_NE(begun.err.find("training.source_vectors: " + vectors + ": found vectors of 1 of "), std::string::npos)
      << begun.err;
  fs::remove(vectors);
  const Outcome resumed = with("4u");
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  expect_refused(run({"--after", "6u"}), 2, "training.source_vectors: the run was begun with");
  expect_refused(run({"--source-vectors", vectors}, "other"), 3, "words.vec");
  EXPECT_FALSE(fs::exists(folder.path("other/config.json")));
  folder.file("words.vec", "house 1 2 3\n");
  expect_refused(run({"--source-vectors", vectors}, "other"), 3, "words.vec:1: expected a word and 32 numbers");
}

TEST_F(VentrisTrain, OfSeveralValidationCorporaTheFirstDecides) {
  const ToyCorpus news = write_toy_corpus(folder, "news", 20, 3);
  const std::vector<std::string> both{"--valid", valid.source, valid.target, "--valid", news.source, news.target};
  std::vector<std::string> flags = both;
  flags.insert(flags.end(), {"--after", "10u"});
  const Outcome outcome = run(flags);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find(" : news : bleu : "), std::string::npos) << outcome.err;
  const auto begun = nlohmann::json::parse(file_bytes(folder.path("run/config.json")));
  EXPECT_EQ(begun.at("data").at("valid"), (nlohmann::json{valid.source, valid.target}));
  EXPECT_EQ(begun.at("data").at("further_valid"),
            (nlohmann::json{{{"name", "news"}, {"files", {news.source, news.target}}}}));
  const Outcome alone = run({"--valid", valid.source, valid.target, "--after", "12u"});  // resumed without it
  EXPECT_EQ(alone.code, 0) << alone.err;
  expect_refused(
      run({"--valid", valid.source, valid.target, "--valid", news.source, folder.path("none"), "--after", "14u"}), 3,
      "none: cannot be read");
}

TEST_F(VentrisTrain, EachFlagOfAValidationCorpusMayBeRepeated) {
  const std::string tsv = folder.file("talks.tsv", "red\tred\n");
  const auto data = [&](const std::vector<std::string>& flags) {
    std::vector<std::string> all{"--dump-config", "-m", folder.path("run")};
    all.insert(all.end(), flags.begin(), flags.end());
    const Outcome outcome = run_program("ventris-train", all);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out).at("data");
  };
  for (const std::string flag : {"--valid-tsv", "--valid-text", "--valid-labels"}) {
    const char* family = flag == "--valid-tsv" ? "transformer" : flag == "--valid-text" ? "bert" : "bert-classifier";
    const std::string architecture = folder.file("family.json", nlohmann::json{{"architecture", family}}.dump());
    const auto both = data({"-c", architecture, flag, tsv, flag, valid.source});
    EXPECT_EQ(both.at("valid"), nlohmann::json::array({tsv})) << flag;
    EXPECT_EQ(both.at("further_valid"),
              nlohmann::json::array({{{"name", "valid"}, {"files", nlohmann::json::array({valid.source})}}}))
        << flag;
  }
  const std::string file = folder.file(
      "further.json",
      nlohmann::json{{"data", {{"valid", {"a", "b"}}, {"further_valid", {{{"files", {"c", "d"}}}}}}}}.dump());
  EXPECT_EQ(data({"-c", file}).at("further_valid").size(), 1U);
  EXPECT_EQ(data({"-c", file, "--valid-tsv", tsv}).at("further_valid"), nlohmann::json::array());  // it replaces all
  expect_refused(run({"--valid", valid.source, valid.target, "--valid-tsv", tsv}), 2, "--valid excludes --valid-tsv");
  expect_refused(run({"--valid-text", tsv, "--valid-labels", tsv}), 2, "--valid-text excludes --valid-labels");
}

TEST_F(VentrisTrain, FineTuningTakesModelAndTokenizersFromTheBundle) {
  ASSERT_EQ(run({"--after", "6u"}).code, 0);
  const ToyCorpus other = write_toy_corpus(folder, "other", 300, 9);
  const std::string bare =
      folder.file("bare.json", R"({"training": {"batch_tokens": 256}, "data": {"max_length": 60}})");
  const auto finetune = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all{"-c",
                                 bare,
                                 "--train",
                                 other.source,
                                 other.target,
                                 "-m",
                                 folder.path("second"),
                                 "--finetune-from",
                                 folder.path("run/final")};
    all.insert(all.end(), more.begin(), more.end());
    return run_program("ventris-train", all);
  };
  expect_refused(finetune({"-c", folder.file("d_ff.json", R"({"model": {"d_ff": 32}})"), "--after", "2u"}), 2,
                 "model.d_ff: 32 is set, but " + folder.path("run/final"));
  expect_refused(finetune({"--vocab-size", "41", "--after", "2u"}), 2, "tokenizer.vocab_size: 41 is set, but ");
  EXPECT_FALSE(fs::exists(folder.path("second/config.json")));
  const Outcome begun = finetune({"--after", "2u"});
  ASSERT_EQ(begun.code, 0) << begun.err;
  EXPECT_NE(begun.err.find("the tokenizer of " + folder.path("run/final") + " on the training corpus: source "),
            std::string::npos)
      << begun.err;
  EXPECT_EQ(file_bytes(folder.path("second/final/source.spm")), file_bytes(folder.path("run/final/source.spm")));
  fs::rename(folder.path("run/final"), folder.path("run/elsewhere"));
  const Outcome resumed = finetune({"--after", "4u"});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(resumed.err.find("on the training corpus: source "), std::string::npos) << resumed.err;
  expect_refused(finetune({"--after", "4u", "--overwrite"}), 4, "run/final: does not exist");
  fs::rename(folder.path("run/elsewhere"), folder.path("run/final"));
  model::Bundle base = model::read_bundle(folder.path("run/final"));
  const std::string weights = file_bytes(folder.path("run/final/model.safetensors"));
  model::write_bundle(folder.path("run/final"), base.package, with_value(weights, "generator.proj.bias", HUGE_VALF));
  expect_refused(finetune({"--after", "4u", "--overwrite"}), 4,
                 "tensor 'generator.proj.bias': 0 of 31 values are NaN and 1 infinite");
  base.package.source_spm = base.package.target_spm = bad_tokenizer();
  model::write_bundle(folder.path("run/final"), base.package, weights);
  expect_refused(finetune({"--after", "4u", "--overwrite"}), 4, std::string("source.spm") + kBadTokenizer);
  fs::resize_file(folder.path("run/final/model.safetensors"), 100);
  expect_refused(finetune({"--after", "4u", "--overwrite"}), 4, "run/final/model.safetensors: damaged");
}

TEST_F(VentrisTrain, FineTuningStartsWithFewerLayers) {
  ASSERT_EQ(run({"-c", folder.file("two.json", R"({"model": {"decoder_layers": 2}})"), "--after", "6u"}).code, 0);
  const std::string one = folder.file(
      "one.json", R"({"model": {"decoder_layers": 1}, "training": {"batch_tokens": 256}, "data": {"max_length": 60}})");
  const auto finetune = [&](const std::string& after) {
    return run_program("ventris-train", {"-c", one, "--train", train.source, train.target, "-m", folder.path("second"),
                                         "--finetune-from", folder.path("run/final"), "--after", after});
  };
  const Outcome begun = finetune("2u");
  ASSERT_EQ(begun.code, 0) << begun.err;
  EXPECT_NE(begun.err.find("taken from " + folder.path("run/final") + ": decoder layers 1 of 2"), std::string::npos)
      << begun.err;
  const model::Bundle small = model::read_bundle(folder.path("second/final"));
  EXPECT_FALSE(small.weights.contains("decoder.layers.1.self_attn.linears.0.weight"));
  const Outcome resumed = finetune("4u");
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(resumed.err.find("taken from"), std::string::npos) << resumed.err;
}

TEST_F(VentrisTrain, AModelWhoseDecoderStartsWithALanguageIsTrainedFurther) {
  const std::string base = folder.path("nllb"), made = folder.path("further");
  ASSERT_EQ(run_program("ventris-import", {"-m", VENTRIS_SOURCE "/tests/imports/data/nllb", "-o", base}).code, 0);
  const std::string source = folder.file("a.en", "the old man sees a green book\nmy sister carries bread\n"),
                    target = folder.file("a.de", "der alte mann sieht ein buch\nmeine schwester trägt brot\n");
  const auto train_further = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all{"--finetune-from", base, "--train",   source, target, "--valid", source,    target,
                                 "--max-length",    "40", "--threads", "1",    "-m",   made,      "--after", "80u"};
    all.insert(all.end(), more.begin(), more.end());
    return run_program("ventris-train", all);
  };
  expect_refused(train_further({}), 2, "_language: this model must be told one of deu_Latn, eng_Latn, fra_Latn (for ");
  expect_refused(train_further({"--source-language", "eng_Latn", "--target-language", "de"}), 2,
                 "data.target_language: expected a language of the model, deu_Latn, eng_Latn, fra_Latn, found 'de'");
  const Outcome trained = train_further(
      {"--source-language", "eng_Latn", "--target-language", "deu_Latn", "-c",
       folder.file("fast.json",
                   R"({"training": {"schedule": {"kind": "constant", "learning_rate": 0.01, "warmup_updates": 1}}})")});
  ASSERT_EQ(trained.code, 0) << trained.err;
  const Outcome translated = run_program("ventris-translate", {"-m", made + "/final", "--source-language", "eng_Latn",
                                                               "--target-language", "deu_Latn", "-i", source});
  ASSERT_EQ(translated.code, 0) << translated.err;
  EXPECT_EQ(translated.out, file_bytes(target)) << "it has learnt these lines by heart";
}

TEST_F(VentrisTrain, SaysWhichSettingsHaveChanged) {
  ASSERT_EQ(run({"--after", "4u"}).code, 0);
  const Outcome later = run({"--after", "5u", "--save-freq", "3u"});
  ASSERT_EQ(later.code, 0);
  EXPECT_NE(later.err.find("changed setting: training.after: \"4u\" before, \"5u\" from now on"), std::string::npos)
      << later.err;
  EXPECT_NE(later.err.find("changed setting: training.save_every: \"5u\" before, \"3u\" from now on"),
            std::string::npos);
}

TEST_F(VentrisTrain, StopsWithExit6WhenStepsAreNotFinite) {
  const std::string wild = folder.file("wild.json", R"({"training": {"max_bad_updates": 3, "clip_norm": 0,
    "schedule": {"learning_rate": 1e30, "warmup_updates": 0}}})");
  expect_refused(run({"-c", wild, "--after", "200u"}), 6, "training diverged: 3 updates in a row were not finite");
}

TEST_F(VentrisTrain, AFullDiskDuringTheRunCostsNoCheckpointThatExisted) {
  ASSERT_EQ(run({"--after", "5u"}).code, 0);
  const std::string weights = file_bytes(folder.path("run/latest/model.safetensors"));
  // A limit on the size of files makes every later save fail, as a full disk would.
  const std::string command = "ulimit -f 20; exec " + program_path("ventris-train") + " -c " + settings + " --train " +
                              train.source + " " + train.target + " -m " + folder.path("run") +
                              " --after 12u --save-freq 3u";
  const int status = std::system(("bash -c '" + command + "' 2> " + folder.path("err")).c_str());
  EXPECT_EQ(WEXITSTATUS(status), 74) << file_bytes(folder.path("err"));
  EXPECT_NE(file_bytes(folder.path("err")).find("cannot be written"), std::string::npos);
  EXPECT_NE(file_bytes(folder.path("err")).find("this checkpoint could not be saved"), std::string::npos);
  EXPECT_EQ(file_bytes(folder.path("run/latest/model.safetensors")), weights);
  const Outcome later = run({"--after", "12u"});
  EXPECT_EQ(later.code, 0);
  EXPECT_NE(later.err.find("resuming from"), std::string::npos) << later.err;
  EXPECT_NE(later.err.find("(update 5)"), std::string::npos) << later.err;
}

TEST_F(VentrisTrain, AFolderThatCannotBeMadeIsExit74) {
  const std::string file = folder.file("file", "");
  expect_refused(
      run_program("ventris-train", {"-c", settings, "--train", train.source, train.target, "-m", file + "/run"}), 74,
      "cannot create the run folder");
}

TEST_F(VentrisTrain, LearnsToReverseWords) {
  const ToyCorpus large = write_toy_corpus(folder, "large", 3000, 3);
  const Outcome trained = run_program("ventris-train", {"-c",
                                                        settings,
                                                        "--train",
                                                        large.source,
                                                        large.target,
                                                        "--valid",
                                                        valid.source,
                                                        valid.target,
                                                        "-m",
                                                        folder.path("run"),
                                                        "--after",
                                                        "700u",
                                                        "--valid-freq",
                                                        "100u",
                                                        "--save-freq",
                                                        "700u",
                                                        "--threads",
                                                        "2",
                                                        "--dropout",
                                                        "0",
                                                        "--batch-tokens",
                                                        "1024",
                                                        "--warmup",
                                                        "100",
                                                        "--learning-rate",
                                                        "0.01"});
  ASSERT_EQ(trained.code, 0) << trained.err;
  const Outcome outcome = run_program("ventris-translate", {"-m", folder.path("run/best"), "-i", valid.source});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  std::istringstream ours(outcome.out), expected(file_bytes(valid.target));
  std::string a, b;
  int right = 0, all = 0;
  while (std::getline(ours, a) && std::getline(expected, b)) {
    right += a == b;
    ++all;
  }
  EXPECT_EQ(all, 30);
  EXPECT_EQ(right, 30);
}

TEST(ShippedConfigs, AreTakenByTheProgram) {
  for (const auto& entry : fs::directory_iterator(fs::path(VENTRIS_SOURCE) / "configs")) {
    std::vector<std::string> arguments{"-c", entry.path().string(), "--dump-config", "--valid", "dev.en", "dev.de"};
    if (entry.path().filename().string().starts_with("bert")) {
      arguments.resize(3);
      arguments.insert(arguments.end(), {"--valid-text", "dev.en"});
    }
    const Outcome outcome = run_program("ventris-train", arguments);
    EXPECT_EQ(outcome.code, 0) << entry.path() << outcome.err;
  }
}

TEST(TrainingMemory, IsJemallocsWhichKeepsWhatIsFreed) {
  setenv("MALLOC_CONF", "stats_print:true", 1);  // at the end, on stderr
  const Outcome outcome = run_program("ventris-train", {"--version"});
  unsetenv("MALLOC_CONF");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.err.find("opt.dirty_decay_ms: -1 "), std::string::npos) << outcome.err.substr(0, 2000);
}

TEST_F(VentrisTrain, ThreadsThatTheSystemRefusesAreSaid) {
  setenv("LD_PRELOAD", REFUSED_THREADS, 1);
  const Outcome outcome = run({"--after", "2u", "--threads", "2"});
  unsetenv("LD_PRELOAD");
  expect_refused(outcome, 5, "ventris-train: no more threads or processes can be started (Resource temporarily");
}

}  // namespace
}  // namespace ventris::test
