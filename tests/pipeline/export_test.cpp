#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "model/package.h"
#include "pipeline/trained_model.h"
#include "support/bad_tokenizer.h"
#include "support/changed_weights.h"
#include "support/python_twins.h"

namespace ventris::test {
namespace {

namespace fs = std::filesystem;

Outcome export_to(const std::string& path, const std::vector<std::string>& more = {}) {
  std::vector<std::string> all{"-m", TrainedModel::get().bundle, "-o", path};
  all.insert(all.end(), more.begin(), more.end());
  return run_program("ventris-export", all);
}

/// A verified export, made once.
const std::string& exported() {
  static const std::string path = [] {
    const auto& model = TrainedModel::get();
    const std::string made = model.folder.path("model.pt");
    const Outcome outcome = export_to(made, {"--format", "torchscript", "--verify", model.valid.source, "-b", "2"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("verified: 120 lines translate the same"), std::string::npos) << outcome.err;
    return made;
  }();
  return path;
}

TEST(Exporting, TheExportTranslatesLikeTheBundle) {
  const std::string input = file_bytes(TrainedModel::get().valid.source);
  const Outcome bundle = run_program("ventris-translate", {"-m", TrainedModel::get().bundle, "-b", "3"}, input);
  const Outcome script = run_program("ventris-translate", {"-m", exported(), "-b", "3"}, input);
  EXPECT_EQ(script.code, 0) << script.err;
  EXPECT_EQ(script.out, bundle.out);
}

TEST(Exporting, PythonLoadsItFindsTheReferencesNamesAndComputesTheSame) {
  if (!has_python_of_torch()) GTEST_SKIP() << kNoPython;
  expect_python_agrees({exported()});
}

TEST(Exporting, TrainingGoesOnFromAnExportAsFromItsBundle) {
  const auto& model = TrainedModel::get();
  const TempFolder folder;
  const auto weights_from = [&](const std::string& base, const std::string& name) {
    const Outcome outcome =
        run_program("ventris-train", {"-c", model.settings, "--train", model.valid.source, model.valid.target, "-m",
                                      folder.path(name), "--finetune-from", base, "--after", "2u"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return file_bytes(folder.path(name + "/final/model.safetensors"));
  };
  EXPECT_EQ(weights_from(exported(), "from_export"), weights_from(model.bundle, "from_bundle"));
}

TEST(Exporting, ADamagedExportIsRefusedBeforeItIsRun) {
  const TempFolder folder;
  const std::string whole = file_bytes(exported());
  const auto translate = [](const std::string& model) {
    return run_program("ventris-translate", {"-m", model}, "red\n");
  };
  const std::string expected = translate(exported()).out;
  int refused = 0;
  constexpr size_t kPlaces = 20;
  for (size_t i = 0; i < kPlaces; ++i) {
    const size_t place = (2 * i + 1) * whole.size() / (2 * kPlaces);
    std::string bytes = whole;
    bytes[place] = static_cast<char>(bytes[place] ^ 0x21);
    const Outcome outcome = translate(folder.file("bad.pt", bytes));
    if (outcome.code == 4) {
      ++refused;
    } else {
      EXPECT_EQ(outcome.out, expected) << place << ": " << outcome.err;  // a byte between the archive's files
    }
  }
  EXPECT_GE(refused, 18);
  const Outcome cut =
      run_program("ventris-translate", {"-m", folder.file("cut.pt", whole.substr(0, whole.size() / 2))}, "red\n");
  EXPECT_EQ(cut.code, 4) << cut.err;
}

TEST(PackedModel, TranslatesAndScoresLikeTheBundleInTheSamePrecisionToTheLastByte) {
  const auto& model = TrainedModel::get();
  const TempFolder folder;
  const std::string input = file_bytes(model.valid.source), packed = folder.path("packed");
  for (const std::string precision : {"f32", "bf16", "int8"}) {  // each replaces the one before
    const Outcome made = export_to(packed, {"--format", "packed", "--precision", precision});
    EXPECT_EQ(made.code, 0) << made.err;
    EXPECT_THAT(made.err, testing::HasSubstr("MB of packed weights in " + precision));
    const auto translate = [&](const std::vector<std::string>& flags) {
      std::vector<std::string> all{"-b", "3", "--n-best", "3", "--word-scores", "--threads", "2", "-m"};
      all.insert(all.end(), flags.begin(), flags.end());
      const Outcome outcome = run_program("ventris-translate", all, input);
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      return outcome.out;
    };
    EXPECT_EQ(translate({packed}), translate({model.bundle, "--precision", precision}));
    const auto score = [&](const std::vector<std::string>& flags) {
      std::vector<std::string> all{model.valid.source, model.valid.target, "--word-scores", "-m"};
      all.insert(all.end(), flags.begin(), flags.end());
      const Outcome outcome = run_program("ventris-score", all);
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      return outcome.out;
    };
    EXPECT_EQ(score({packed}), score({model.bundle, "--precision", precision}));
  }
}

TEST(PackedModel, ProgramsThatNeedTheBundleSaySo) {
  const TempFolder folder;
  const std::string packed = folder.path("packed"), out = folder.path("out");
  ASSERT_EQ(export_to(packed, {"--format", "packed"}).code, 0);
  const std::string sentence = "packed: expected a bundle, found a packed model, which is only for translating";
  for (const auto& [program, flags] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"ventris-average", {"-m", packed, packed, "-o", out}},
           {"ventris-inspect", {packed}},
           {"ventris-export", {"-m", packed, "-o", out}},
           {"ventris-export", {"-m", packed, "-o", out, "--format", "packed"}}}) {
    const Outcome outcome = run_program(program, flags, "red\n");
    EXPECT_EQ(outcome.code, 4) << program;
    EXPECT_THAT(outcome.err, testing::HasSubstr(sentence)) << program;
    EXPECT_FALSE(fs::exists(out));
  }
  EXPECT_EQ(run_program("ventris-embed", {"-m", packed}, "red\n").code, 0) << "the engine has the encoder";
  const Outcome torch = run_program("ventris-translate", {"-m", packed, "--backend", "torch"}, "red\n");
  EXPECT_EQ(torch.code, 2);
  EXPECT_THAT(torch.err, testing::HasSubstr("is a packed model, which only the engine on a CPU can use"));
}

TEST(PackedModel, FlagsThatDoNotGoTogetherAndFoldersOfOthersAreRefused) {
  const TempFolder folder;
  const std::string out = folder.path("out");
  const auto expect = [&](const Outcome& outcome, const std::string& text) {
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_THAT(outcome.err, testing::HasSubstr(text));
  };
  expect(export_to(out, {"--precision", "int8"}), "--precision: a TorchScript file is in f32 or bf16");
  expect(export_to(out, {"--format", "ctranslate2", "--precision", "bf16"}),
         "--precision: only a packed model and a TorchScript file have a precision; leave it out");
  expect(export_to(out, {"--precision", "bf16", "--verify", "lines"}), "--verify: bf16 changes the scores");
  expect(export_to(out, {"--code", "torch.nn.Transformer"}), "--code: only pytorch and safetensors are for code in");
  expect(export_to(out, {"--format", "packed", "--precision", "int4"}), "--precision: expected one of f32, bf16, int8");
  expect(export_to(out, {"--format", "packed", "--precision", "int8", "--verify", "lines"}),
         "--verify: int8 changes the scores, so there is nothing to compare exactly");
  expect(export_to(out, {"--format", "bergamot", "--verify", "lines"}), "--verify: int8 changes the scores");
  expect(export_to(out, {"--format", "ctranslate2", "--shortlist", "lexicon"}),
         "--shortlist: only marian and bergamot have shortlists; leave it out");
  expect(export_to(out, {"--format", "marian", "--shortlist", "lexicon", "--shortlist-best", "0"}), "--shortlist-best");
  expect(export_to(out, {"--format", "marian", "--shortlist-first", "20"}),
         "sizes of a shortlist; add --shortlist FILE");
  EXPECT_FALSE(fs::exists(out));
  fs::create_directory(out);
  folder.file("out/letter.txt", "mine");
  expect(export_to(out, {"--format", "packed"}), "out: exists and is not a model folder");
  EXPECT_EQ(file_bytes(out + "/letter.txt"), "mine");
}

TEST(Exporting, WhatCanBeReadBackIsVerified) {
  const TempFolder folder;
  const std::string lines = TrainedModel::get().valid.source;
  for (const char* format : {"ctranslate2", "packed", "safetensors", "pytorch"}) {
    const Outcome outcome = export_to(folder.path(format), {"--format", format, "--verify", lines, "-b", "2"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, testing::HasSubstr("lines translate the same"));
    EXPECT_TRUE(fs::exists(folder.path(format)));
  }
  const Outcome failed = export_to(folder.path("none"), {"--format", "ctranslate2", "--verify", folder.path("lines")});
  EXPECT_EQ(failed.code, 3) << failed.err;
  EXPECT_FALSE(fs::exists(folder.path("none"))) << "nothing is written";
}

TEST(Exporting, ATorchScriptFileInBf16IsSmallerAndTranslates) {
  const TempFolder folder;
  const std::string f32 = folder.path("f32.pt"), bf16 = folder.path("bf16.pt");
  ASSERT_EQ(export_to(f32, {}).code, 0);
  ASSERT_EQ(export_to(bf16, {"--precision", "bf16"}).code, 0);
  EXPECT_LT(fs::file_size(bf16), fs::file_size(f32));
  const Outcome expected = run_program("ventris-translate", {"-m", f32}, "red blue\n"),
                found = run_program("ventris-translate", {"-m", bf16}, "red blue\n");
  EXPECT_EQ(found.code, 0) << found.err;
  EXPECT_EQ(found.out, expected.out);
  EXPECT_EQ(model::read_package(bf16).tensors.front().dtype, "BF16");
}

TEST(Exporting, AFolderForCTranslate2IsReplacedAndIsNoModelOfVentris) {
  const TempFolder folder;
  const std::string out = folder.path("out");
  for (int time = 0; time < 2; ++time) {
    const Outcome outcome = export_to(out, {"--format", "ctranslate2"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, testing::HasSubstr("out: a model of CTranslate2"));
  }
  EXPECT_TRUE(fs::exists(out + "/model.bin"));
  const Outcome refused = run_program("ventris-translate", {"-m", out}, "red\n");
  EXPECT_EQ(refused.code, 4);
  EXPECT_THAT(refused.err,
              testing::HasSubstr("out: expected a bundle, found a model for CTranslate2; give the bundle"));
}

TEST(Exporting, RefusesWhatItCannotDoAndLeavesNoFile) {
  const TempFolder folder;
  const std::string out = folder.path("out.pt");
  const auto expect = [&](const Outcome& outcome, int code, const std::string& text) {
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
    EXPECT_FALSE(fs::exists(out));
  };
  expect(export_to(out, {"--format", "onnx"}), 2,
         "--format: expected one of torchscript, packed, ctranslate2, transformers, huggingface, marian, bergamot, "
         "pytorch, safetensors; "
         "got 'onnx'");
  expect(export_to(out, {"--verify", folder.path("none")}), 3, "none: cannot be read");
  expect(export_to(out, {"--verify", folder.file("empty", "")}), 3, "is empty; expected sentences to translate");
  expect(export_to(folder.path("no/such/out.pt")), 74, "cannot be written");
  const std::string text = folder.file("text", "bread\n");
  expect(export_to(text, {"--verify", text}), 2, "is also an input");
  expect(run_program("ventris-export", {"-m", folder.path("none"), "-o", out}), 4,
         "expected a model or checkpoint folder");
  expect(run_program("ventris-export", {"-m", exported(), "-o", out}), 4, "expected a bundle folder, got a file");
  expect(run_program("ventris-export", {"-o", out}), 2, "--model");
}

TEST(Exporting, WeightsAndTokenizersThatAreNoneAreRefusedByName) {
  const TempFolder folder;
  const std::string bad = folder.path("bad"), out = folder.path("out.pt");
  const auto refusal = [&](const model::Package& package, const std::string& weights) {
    model::write_bundle(bad, package, weights);
    const Outcome outcome = run_program("ventris-export", {"-m", bad, "-o", out});
    EXPECT_EQ(outcome.code, 4);
    EXPECT_FALSE(fs::exists(out));
    return outcome.err;
  };
  model::Package package = model::read_package(TrainedModel::get().bundle);
  const std::string weights = file_bytes(TrainedModel::get().bundle + "/model.safetensors");
  EXPECT_THAT(
      refusal(package, with_value(weights, "generator.proj.bias", HUGE_VALF)),
      testing::HasSubstr("bad/model.safetensors: tensor 'generator.proj.bias': 0 of 40 values are NaN and 1 infinite"));
  package.source_spm = package.target_spm = bad_tokenizer();
  EXPECT_THAT(refusal(package, weights), testing::HasSubstr(kBadTokenizer));
}

}  // namespace
}  // namespace ventris::test
