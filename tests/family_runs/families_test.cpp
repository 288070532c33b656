#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "files/files.h"
#include "support/run_program.h"
#include "support/running_trainer.h"
#include "support/temp_folder.h"
#include "support/toy_corpus.h"

/// A family that the library does not know goes through all programs: it is one more file with settings, one with
/// modules, and nothing else is changed (tests.cmake builds the programs with both).
namespace ventris::test {
namespace {

constexpr const char* kBagSettings = R"({
  "architecture": "bag-of-words",
  "model": {"width": 24},
  "training": {"schedule": {"learning_rate": 0.01}, "average_last": 2, "ema_decay": 0.9, "word_dropout": 0.1},
  "validation": {"every": "10u"}
})";

class AddedFamily : public testing::Test {
 protected:
  AddedFamily() {
    setenv("VENTRIS_BACKEND", BAG_BACKEND, 1);
    nlohmann::json settings = nlohmann::json::parse(kToySettings);
    settings.erase("model");
    settings.merge_patch(nlohmann::json::parse(kBagSettings));
    file = folder.file("settings.json", settings.dump());
  }
  ~AddedFamily() override { unsetenv("VENTRIS_BACKEND"); }

  std::vector<std::string> arguments(const std::string& run, const std::string& length,
                                     const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all{"-c",      file,        "--train",   text.source, text.target,
                                 "--valid", held.source, held.target, "-m",        folder.path(run),
                                 "--after", length,      "--threads", "2"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  Outcome train(const std::string& run, const std::string& length, const std::vector<std::string>& more = {}) const {
    return run_program("bag-ventris-train", arguments(run, length, more));
  }

  std::string weights(const std::string& bundle) const {
    return file_bytes(folder.path(bundle + "/model.safetensors"));
  }

  TempFolder folder;
  ToyCorpus text = write_toy_corpus(folder, "train", 300, 1), held = write_toy_corpus(folder, "held", 10, 2);
  std::string file;
};

TEST_F(AddedFamily, TrainsIsKilledGoesOnAndEndsWithTheBytesOfAnUninterruptedRun) {
  const Outcome whole = train("whole", "40u");
  ASSERT_EQ(whole.code, 0) << whole.err;
  ASSERT_EQ(train("stopped", "15u").code, 0);
  {
    RunningTrainer killed(arguments("stopped", "40u"), folder.path("killed.err"), {}, "bag-ventris-train");
    ASSERT_TRUE(wait_until([&] { return std::filesystem::exists(folder.path("stopped/checkpoints/step-00000020")); }));
    killed.send(SIGKILL);
    killed.wait();
  }
  const Outcome resumed = train("stopped", "40u");
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_NE(resumed.err.find("resuming from"), std::string::npos) << resumed.err;
  const std::string draws = "draws its weights";
  EXPECT_NE(whole.err.find(draws), std::string::npos) << whole.err;
  EXPECT_EQ(resumed.err.find(draws), std::string::npos) << "a resumed run loads all weights: " << resumed.err;
  for (const char* bundle : {"final", "averaged"}) {
    EXPECT_FALSE(weights("whole/" + std::string(bundle)).empty());
    EXPECT_EQ(weights("whole/" + std::string(bundle)), weights("stopped/" + std::string(bundle))) << bundle;
  }
  EXPECT_EQ(train("whole", "50u", {"-c", folder.file("other.json", R"({"model": {"width": 16}})")}).code, 2);
}

TEST_F(AddedFamily, LearnsAndTranslatesScoresAveragesAndIsInspected) {
  ASSERT_EQ(train("run", "60u").code, 0);
  const std::string best = folder.path("run/best"), last = folder.path("run/final");

  const auto metrics = nlohmann::json::parse("[" + [&] {
    std::string lines = file_bytes(folder.path("run/metrics.jsonl"));
    for (size_t at = lines.find('\n'); at + 1 < lines.size(); at = lines.find('\n', at + 1)) lines[at] = ',';
    return lines;
  }() + "]");
  EXPECT_LT(metrics.back().value("nll", 1e9), metrics.front().value("nll", 0.0));

  const Outcome beam = run_program("bag-ventris-translate", {"-m", best, "-i", held.source, "-b", "3"});
  ASSERT_EQ(beam.code, 0) << beam.err;
  EXPECT_EQ(std::count(beam.out.begin(), beam.out.end(), '\n'), 10);
  const Outcome one_by_one =
      run_program("bag-ventris-translate", {"-m", best, "-i", held.source, "-b", "3", "--mini-batch", "1"});
  EXPECT_EQ(one_by_one.out, beam.out);
  const Outcome aligned = run_program("bag-ventris-translate", {"-m", best, "-i", held.source, "--alignment"});
  EXPECT_EQ(aligned.code, 2) << "it has no attention";

  const Outcome scored = run_program("bag-ventris-score", {"-m", best, held.source, held.target});
  ASSERT_EQ(scored.code, 0) << scored.err;
  EXPECT_EQ(std::count(scored.out.begin(), scored.out.end(), '\n'), 10);

  const Outcome evaluated =
      run_program("ventris-evaluate", {held.target, "-i", folder.file("found", beam.out), "-m", "chrf"});
  EXPECT_EQ(evaluated.code, 0) << evaluated.err;

  const Outcome inspected = run_program("bag-ventris-inspect", {best});
  ASSERT_EQ(inspected.code, 0) << inspected.err;
  EXPECT_NE(inspected.out.find("bag-of-words"), std::string::npos) << inspected.out;
  EXPECT_NE(inspected.out.find("src_embed"), std::string::npos) << inspected.out;

  const std::string mean = folder.path("mean");
  const Outcome averaged = run_program("bag-ventris-average", {"-m", best, last, "-o", mean});
  ASSERT_EQ(averaged.code, 0) << averaged.err;
  EXPECT_EQ(run_program("bag-ventris-translate", {"-m", mean, "-i", held.source}).code, 0);

  const Outcome tuned =
      train("tuned", "5u",
            {"-c", folder.file("tune.json", nlohmann::json({{"training", {{"finetune_from", last}}}}).dump())});
  EXPECT_EQ(tuned.code, 0) << tuned.err;

  const Outcome exported = run_program("bag-ventris-export", {"-m", best, "-o", folder.path("model.pt")});
  EXPECT_EQ(exported.code, 2);
  EXPECT_NE(exported.err.find("'bag-of-words' cannot be exported as TorchScript"), std::string::npos) << exported.err;

  const Outcome unknown = run_program("ventris-translate", {"-m", best, "-i", held.source});
  EXPECT_EQ(unknown.code, 4);
  EXPECT_NE(unknown.err.find("'transformer-nat', got 'bag-of-words'"), std::string::npos) << unknown.err;
}

TEST_F(AddedFamily, DescribesItsSettings) {
  const Outcome page = run_program("bag-ventris-train", {"--generate", "settings"});
  ASSERT_EQ(page.code, 0) << page.err;
  EXPECT_NE(page.out.find("Settings of the family `bag-of-words`."), std::string::npos) << page.out;
  EXPECT_NE(page.out.find("| `model.width` | | whole number, from 1 to 16777216 | `32` | no | Features of a word"),
            std::string::npos)
      << page.out;
  EXPECT_NE(page.out.find("| `model.d_model` |"), std::string::npos) << "the other family is still there";
}

}  // namespace
}  // namespace ventris::test
