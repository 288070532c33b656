#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "support/folder_entries.h"
#include "support/run_program.h"
#include "support/running_trainer.h"
#include "support/temp_folder.h"
#include "support/toy_corpus.h"

/// One model that has every unusual setting of docs/attention.md, through all programs.
namespace ventris::test {
namespace {

using testing::HasSubstr;

constexpr const char* kUnusual = R"({
  "model": {"encoder_layers": 3, "decoder_layers": 2, "cross_attention": "weighted", "attention_score": "additive",
            "attention_bias": false, "d_k": 5, "d_v": 7, "embedding_norm": true, "attention_dropout": 0.2},
  "training": {"save_every": "7u", "report_every": "5u"}, "validation": {"every": "20u"}})";

/// The corpora and a run of 60 updates, made once.
class UnusualModel {
 public:
  static const UnusualModel& get() {
    static const UnusualModel model;
    return model;
  }

  std::vector<std::string> arguments(const std::string& run, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all{"-c",         settings,         "-c",      unusual,      "--train",
                                 train.source, train.target,     "--valid", valid.source, valid.target,
                                 "-m",         folder.path(run), "--after", "60u",        "--quiet"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  TempFolder folder;
  std::string settings = folder.file("settings.json", kToySettings), unusual = folder.file("unusual.json", kUnusual);
  ToyCorpus train = write_toy_corpus(folder, "train", 300, 1), valid = write_toy_corpus(folder, "valid", 20, 2);
  std::string bundle = folder.path("whole/final");

 private:
  UnusualModel() {
    const Outcome outcome = run_program("ventris-train", arguments("whole"));
    if (outcome.code != 0) ADD_FAILURE() << outcome.err;
  }
};

Outcome run_ok(const std::string& program, const std::vector<std::string>& arguments, const std::string& input = "") {
  Outcome outcome = run_program(program, arguments, input);
  EXPECT_EQ(outcome.code, 0) << program << ": " << outcome.err;
  return outcome;
}

/// A verified export, made once.
const std::string& exported() {
  static const std::string path = [] {
    const auto& model = UnusualModel::get();
    const std::string made = model.folder.path("model.pt");
    const Outcome outcome = run_ok("ventris-export", {"-m", model.bundle, "-o", made, "--format", "torchscript",
                                                      "--verify", model.valid.source, "-b", "3"});
    EXPECT_THAT(outcome.err, HasSubstr("verified: 20 lines translate the same"));
    return made;
  }();
  return path;
}

TEST(AttentionVariants, ARunThatIsKilledAndGoesOnEndsWithTheSameBytes) {
  const auto& model = UnusualModel::get();
  const auto started = std::chrono::steady_clock::now();
  run_ok("ventris-train", model.arguments("timed"));
  const auto length = std::chrono::duration<double>(std::chrono::steady_clock::now() - started);
  for (const double share : {0.5, 0.8}) {
    RunningTrainer trainer(model.arguments("killed"), model.folder.path("killed.err"));
    std::this_thread::sleep_for(share * length);
    trainer.send(SIGKILL);
    trainer.wait();
  }
  run_ok("ventris-train", model.arguments("killed"));
  for (const char* file : {"final/model.safetensors", "best/model.safetensors"}) {
    const std::string expected = file_bytes(model.folder.path(std::string("whole/") + file));
    EXPECT_FALSE(expected.empty());
    EXPECT_EQ(file_bytes(model.folder.path(std::string("timed/") + file)), expected) << file;
    EXPECT_EQ(file_bytes(model.folder.path(std::string("killed/") + file)), expected) << file;
  }
}

TEST(AttentionVariants, TheExportTranslatesLikeTheBundle) {
  const auto& model = UnusualModel::get();
  const std::string input = file_bytes(model.valid.source);
  const Outcome bundle = run_ok("ventris-translate", {"-m", model.bundle, "-b", "3"}, input);
  EXPECT_EQ(run_ok("ventris-translate", {"-m", exported(), "-b", "3"}, input).out, bundle.out);
}

TEST(AttentionVariants, PythonComputesTheSameWithTheExport) {
  if (!std::filesystem::exists(VENTRIS_PYTHON))
    GTEST_SKIP() << "LibTorch did not come as a Python package, so there is no Python to load it with";
  const TempFolder folder;
  const std::string command = std::string(VENTRIS_PYTHON) + " " VENTRIS_SOURCE "/tests/parity/check_torchscript.py " +
                              exported() + " > " + folder.path("out") + " 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << file_bytes(folder.path("out"));
  EXPECT_THAT(file_bytes(folder.path("out")), HasSubstr("agree with PyTorch"));
}

TEST(AttentionVariants, BatchesOfAllSizesTranslateTheSame) {
  const auto& model = UnusualModel::get();
  const std::string input = file_bytes(model.valid.source);
  const Outcome one = run_ok("ventris-translate", {"-m", model.bundle, "-b", "2", "--mini-batch", "1"}, input);
  EXPECT_EQ(run_ok("ventris-translate", {"-m", model.bundle, "-b", "2", "--mini-batch", "16"}, input).out, one.out);
}

TEST(AttentionVariants, AttentionIsShownAndLinksWords) {
  const auto& model = UnusualModel::get();
  const std::string out = model.folder.path("attention");
  run_ok("ventris-plot", {"attention", "-m", model.bundle, "--source", "red tree", "--target", "tree red", "-o", out});
  EXPECT_EQ(entries(out).size(), 7U);  // 3 layers of the encoder, 2 of the decoder, twice
  const Outcome aligned = run_ok("ventris-translate", {"-m", model.bundle, "--alignment", "-b", "2"}, "red tree\n");
  EXPECT_THAT(aligned.out, HasSubstr("-"));
}

TEST(AttentionVariants, TheOtherProgramsTakeSuchAModel) {
  const auto& model = UnusualModel::get();
  run_ok("ventris-score", {"-m", model.bundle, model.valid.source, model.valid.target});
  EXPECT_THAT(run_ok("ventris-inspect", {model.bundle}).out, HasSubstr("additive"));
  run_ok("ventris-average", {"-m", model.bundle, model.folder.path("whole/best"), "-o", model.folder.path("mean")});
  auto doctor = model.arguments("examined", {"--doctor"});
  std::erase(doctor, "--quiet");
  EXPECT_THAT(run_ok("ventris-train", doctor).out, HasSubstr("\nwhole run "));
}

TEST(AttentionVariants, TrainingInBf16Learns) {
  const auto& model = UnusualModel::get();
  const auto trained = [&](const std::string& precision) {
    run_ok("ventris-train", model.arguments(precision, {"--precision", precision}));
    return file_bytes(model.folder.path(precision + "/final/model.safetensors"));
  };
  EXPECT_TRUE(trained("bf16") != trained("f32"));  // EXPECT_NE would print both
}

TEST(AttentionVariants, AWrongValueIsRefusedWithASentence) {
  const auto& model = UnusualModel::get();
  const auto refused = [&](const std::string& settings, const std::string& part) {
    const TempFolder folder;
    const Outcome outcome =
        run_program("ventris-train", model.arguments("none", {"-c", folder.file("a.json", settings)}));
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(part));
  };
  refused(R"({"model": {"attention_score": "bilinaer"}})", "model.attention_score: expected one of");
  refused(R"({"model": {"cross_attention": "all"}})", "model.cross_attention: expected one of");
  refused(R"({"model": {"d_k": -1}})", "model.d_k: must be from 0");
  refused(R"({"model": {"heads": 3, "d_v": 0}})", "model.d_model: must be a multiple of heads (3), got 32");
}

}  // namespace
}  // namespace ventris::test
