#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/process.h"
#include "files/files.h"
#include "files/paths.h"
#include "support/run_program.h"
#include "support/temp_folder.h"
#include "support/toy_corpus.h"

/// Changes of the code that are to change no result are checked against golden.json: checksums of what trainings of 200
/// updates, and translating and scoring with their models, gave before. They hold for one kind of machine and one
/// LibTorch; on others the test is skipped. With VENTRIS_WRITE_GOLDEN set, it adds this machine's values to the file
/// instead: run it so only with programs whose results are right.
namespace ventris::test {
namespace {

const std::string kFolder = std::string(VENTRIS_SOURCE) + "/tests/golden/";
const std::string kFile = kFolder + "golden.json";

/// Few settings are left at their defaults.
constexpr const char* kOtherSettings = R"({
  "model": {"norm": "post", "activation": "gelu", "positions": "learned", "tying": "none", "encoder_layers": 2,
            "decoder_layers": 2, "attention_dropout": 0.2, "embedding_dropout": 0.05},
  "tokenizer": {"shared": false, "sampling_alpha": 0.2},
  "training": {"accumulate": 2, "ema_decay": 0.95, "word_dropout": 0.1, "r_drop": 0.5, "label_smoothing": 0.2,
               "optimizer": {"kind": "adamw", "weight_decay": 0.01}, "schedule": {"kind": "noam", "learning_rate": 0.5}}
})";

/// What /proc/cpuinfo says first of this.
std::string of_processor(const std::string& key) {
  std::ifstream info("/proc/cpuinfo");
  std::string line;
  while (std::getline(info, line)) {
    if (line.starts_with(key)) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

/// The libraries of LibTorch choose the blocks of their products by the caches, which differ between processors of AMD
/// with the same instructions.
std::string processor() {
  const std::string vendor = of_processor("vendor_id");
  return vendor == "AuthenticAMD" ? vendor + " " + of_processor("cpu family") + "/" + of_processor("model\t") : vendor;
}

class Golden : public testing::Test {
 protected:
  void train(const std::string& name, const std::vector<std::string>& more, int threads) {
    std::vector<std::string> arguments{"-c",
                                       folder.file("settings.json", kToySettings),
                                       "--train",
                                       train_text.source,
                                       train_text.target,
                                       "--valid",
                                       valid_text.source,
                                       valid_text.target,
                                       "-m",
                                       folder.path(name),
                                       "--after",
                                       "200u",
                                       "--threads",
                                       std::to_string(threads),
                                       "--save-freq",
                                       "200u",
                                       "--quiet"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run_program("ventris-train", arguments);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const std::string run = folder.path(name);
    const auto state = nlohmann::json::parse(files::read_file(run + "/latest/state.json"));
    environment = state.at("environment");
    for (const char* file : {"/final/model.safetensors", "/best/model.safetensors", "/latest/optimizer.safetensors"}) {
      add(name + file, files::read_file(run + file));
    }
  }

  void use(const std::string& name) {
    const std::string model = folder.path(name) + "/final";
    add_output(name + " translate", "ventris-translate",
               {"--backend", "torch", "-m", model, "-i", valid_text.source, "-b", "4", "--n-best", "3", "--word-scores",
                "--alignment"});
    add_output(
        name + " sample", "ventris-translate",
        {"--backend", "torch", "-m", model, "-i", valid_text.source, "--sampling", "--n-best", "2", "--seed", "5"});
    add_output(name + " score", "ventris-score",
               {"--backend", "torch", "-m", model, valid_text.source, valid_text.target});
  }

  void add_output(const std::string& name, const std::string& program, const std::vector<std::string>& arguments) {
    const Outcome outcome = run_program(program, arguments);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    add(name, outcome.out);
  }

  void add(const std::string& name, const std::string& bytes) {
    EXPECT_FALSE(bytes.empty()) << name;
    found[name] = files::crc32(bytes);
  }

  /// What the results depend on besides our code.
  std::string machine() const {
    return processor() + ", " + environment.at("instruction_set").get<std::string>() + ", LibTorch " +
           environment.at("libtorch").get<std::string>() + ", SentencePiece " +
           environment.at("sentencepiece").get<std::string>();
  }

  TempFolder folder;
  ToyCorpus train_text = write_toy_corpus(folder, "train", 500, 1);
  ToyCorpus valid_text = write_toy_corpus(folder, "valid", 20, 2);
  nlohmann::json environment, found;
};

TEST_F(Golden, TrainingTranslatingAndScoringGiveTheBytesOfBefore) {
  const std::string other = folder.file("other.json", kOtherSettings);
  for (const int threads : {1, 2}) {
    const std::string suffix = "-" + std::to_string(threads);
    ASSERT_NO_FATAL_FAILURE(train("plain" + suffix, {}, threads));
    ASSERT_NO_FATAL_FAILURE(train("other" + suffix, {"-c", other}, threads));
  }
  ASSERT_NO_FATAL_FAILURE(use("plain-1"));
  ASSERT_NO_FATAL_FAILURE(use("other-1"));
  auto golden = nlohmann::json::parse(files::read_file(kFile));
  if (std::getenv("VENTRIS_WRITE_GOLDEN") != nullptr) {
    golden[machine()] = found;
    files::write_file(kFile, golden.dump(2) + "\n");
    GTEST_SKIP() << "wrote " << kFile;
  }
  if (!golden.contains(machine())) {
    GTEST_SKIP() << kFile << " has no values for: " << machine();
  }
  EXPECT_EQ(found.dump(1), golden.at(machine()).dump(1));
}

/// What version 0.1 wrote (make_version_0_1.sh): a run that was stopped, a bundle and an export.
class Version01 : public testing::Test {
 protected:
  void SetUp() override {
    const std::string unpack = "tar -xzf '" + kFolder + "version-0.1.tar.gz' -C '" + folder.path() + "'";
    ASSERT_EQ(std::system(unpack.c_str()), 0);
  }

  void expect_translates(const std::string& model) const {
    const Outcome outcome =
        run_program("ventris-translate", {"-m", folder.path(model), "-i", folder.path("test.src"), "-b", "2"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, files::read_file(folder.path("expected.tgt"))) << model;
  }

  TempFolder folder;
};

TEST_F(Version01, BundlesAndExportsTranslateAsTheyDidThen) {
  expect_translates("bundle");
  expect_translates("export.pt");
}

TEST_F(Version01, ARunGoesOn) {
  const Outcome outcome =
      run_program("ventris-train", {"-c", folder.path("settings.json"), "--train", folder.path("train.src"),
                                    folder.path("train.tgt"), "-m", folder.path("run"), "--after", "40u"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("(update 20)"), std::string::npos) << outcome.err;
  EXPECT_TRUE(files::exists(folder.path("run/final/MANIFEST")));
}

}  // namespace
}  // namespace ventris::test
