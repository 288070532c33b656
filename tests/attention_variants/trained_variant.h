#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "support/python_twins.h"
#include "support/run_program.h"
#include "support/running_trainer.h"
#include "support/temp_folder.h"
#include "support/toy_corpus.h"

/// What the tests of this folder share: a small model with given settings, and what the programs make of it.
namespace ventris::test {

inline Outcome run_ok(const std::string& program, const std::vector<std::string>& arguments,
                      const std::string& input = "") {
  Outcome outcome = run_program(program, arguments, input);
  EXPECT_EQ(outcome.code, 0) << program << ": " << outcome.err;
  return outcome;
}

/// The corpora and a run of 60 updates.
class TrainedVariant {
 public:
  /// `variant`: settings that are added to kToySettings.
  explicit TrainedVariant(const std::string& variant) : unusual(folder.file("unusual.json", variant)) {
    const auto started = std::chrono::steady_clock::now();
    const Outcome outcome = run_program("ventris-train", arguments("whole"));
    if (outcome.code != 0) ADD_FAILURE() << outcome.err;
    length_ = std::chrono::steady_clock::now() - started;
  }

  std::vector<std::string> arguments(const std::string& run, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all{"-c",         settings,         "-c",      unusual,      "--train",
                                 train.source, train.target,     "--valid", valid.source, valid.target,
                                 "-m",         folder.path(run), "--after", "60u",        "--quiet"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  /// A verified export, made once.
  const std::string& exported() const {
    if (!exported_.empty()) return exported_;
    exported_ = folder.path("model.pt");
    const Outcome outcome = run_ok("ventris-export", {"-m", bundle, "-o", exported_, "--format", "torchscript",
                                                      "--verify", valid.source, "-b", "3"});
    EXPECT_THAT(outcome.err, testing::HasSubstr("verified: 20 lines translate the same"));
    return exported_;
  }

  void expect_same_export() const {
    const std::string input = file_bytes(valid.source);
    const Outcome of_bundle = run_ok("ventris-translate", {"-m", bundle, "-b", "3"}, input);
    EXPECT_EQ(run_ok("ventris-translate", {"-m", exported(), "-b", "3"}, input).out, of_bundle.out);
  }

  void expect_same_in_all_batches() const {
    const std::string input = file_bytes(valid.source);
    const Outcome one = run_ok("ventris-translate", {"-m", bundle, "-b", "2", "--mini-batch", "1"}, input);
    EXPECT_EQ(run_ok("ventris-translate", {"-m", bundle, "-b", "2", "--mini-batch", "16"}, input).out, one.out);
  }

  /// Kills a run at these shares of its time and lets it go on.
  void expect_exact_resume(const std::vector<double>& shares) const {
    for (const double share : shares) {
      RunningTrainer trainer(arguments("killed"), folder.path("killed.err"));
      std::this_thread::sleep_for(share * length_);
      trainer.send(SIGKILL);
      trainer.wait();
    }
    run_ok("ventris-train", arguments("killed"));
    for (const char* file : {"final/model.safetensors", "best/model.safetensors"}) {
      const std::string expected = file_bytes(folder.path(std::string("whole/") + file));
      EXPECT_FALSE(expected.empty());
      EXPECT_EQ(file_bytes(folder.path(std::string("killed/") + file)), expected) << file;
    }
  }

  /// Both precisions are given, because the default depends on the machine.
  void expect_bf16_learns() const {
    const auto trained = [&](const std::string& precision) {
      run_ok("ventris-train", arguments(precision, {"--precision", precision}));
      return file_bytes(folder.path(precision + "/final/model.safetensors"));
    };
    EXPECT_TRUE(trained("bf16") != trained("f32"));  // EXPECT_NE would print both
  }

  void expect_refused(const std::string& more_settings, const std::string& part) const {
    const TempFolder other;
    const Outcome outcome =
        run_program("ventris-train", arguments("none", {"-c", other.file("a.json", more_settings)}));
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_THAT(outcome.err, testing::HasSubstr(part));
  }

  TempFolder folder;
  std::string settings = folder.file("settings.json", kToySettings), unusual;
  ToyCorpus train = write_toy_corpus(folder, "train", 300, 1), valid = write_toy_corpus(folder, "valid", 20, 2);
  std::string bundle = folder.path("whole/final");

 private:
  std::chrono::duration<double> length_ = {};  // of the run
  mutable std::string exported_;
};

}  // namespace ventris::test
