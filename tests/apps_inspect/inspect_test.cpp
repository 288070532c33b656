#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "files/folders.h"
#include "support/bad_tokenizer.h"
#include "support/changed_weights.h"
#include "support/run_program.h"
#include "support/temp_folder.h"
#include "support/tiny_run.h"
#include "support/zip.h"

namespace ventris {
namespace {

using nlohmann::json;
using test::Outcome;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Outcome inspect(const std::vector<std::string>& arguments) { return test::run_program("ventris-inspect", arguments); }

/// The program ended with this code and said one sentence that contains `part`, and nothing on stdout.
void expect_refusal(const Outcome& outcome, int code, const std::string& part) {
  EXPECT_EQ(outcome.code, code) << outcome.err;
  EXPECT_THAT(outcome.err, AllOf(StartsWith("ventris-inspect: "), HasSubstr(part)));
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_EQ(outcome.out, "");
}

class InspectTest : public testing::Test {
 protected:
  const test::TempFolder folder;
  const std::string path = folder.path("m");
  /// 448 in encoder and decoder, a row of 4 and a bias for each piece.
  const std::string total = std::to_string(448 + 5 * test::tiny_package().config.architecture->src_vocab());
};

TEST_F(InspectTest, ABundleIsShownByModuleWithTiedTensorsCountedOnce) {
  test::write_tiny_bundle(path);
  const Outcome outcome = inspect({path});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, StartsWith(path + ": bundle, "));
  EXPECT_THAT(outcome.out, HasSubstr("all checksums are correct\n"));
  EXPECT_THAT(outcome.out, HasSubstr("d_ff 8, d_k 0, d_model 4, d_v 0, "));
  EXPECT_THAT(outcome.out, HasSubstr("provenance      program ventris-train, updates 7\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\n" + total + " parameters\n"));
  EXPECT_THAT(outcome.out, HasSubstr("    layers.0                       16 tensors             172 "));
  EXPECT_THAT(
      outcome.out,
      HasSubstr("  tgt_embed                         1 tensor                0    0.0 %  = src_embed.0.lut.weight\n"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("\ntensors\n")));
  EXPECT_THAT(inspect({path, "--tensors"}).out,
              HasSubstr("decoder.norm.bias                                        F32  [4]\n"));
}

TEST_F(InspectTest, NothingThatABundleSaysReachesTheTerminalRaw) {
  const std::string odd = folder.path("m\x1b[2J\n");
  test::write_tiny_bundle(odd);
  folder.file("m\x1b[2J\n/a\rb\xff", "");
  const Outcome shown = inspect({odd});
  ASSERT_EQ(shown.code, 0) << shown.err;
  EXPECT_THAT(shown.out, StartsWith(folder.path("m\\x1b[2J\\n: bundle, ")));
  EXPECT_THAT(shown.out, HasSubstr("  a\\rb\\xff "));
  EXPECT_EQ(shown.out.find_first_of("\x1b\r\xff"), std::string::npos);
  auto files = files::read_folder(odd);
  const auto config = std::ranges::find(files, "config.json", &files::NamedBytes::first);
  config->second.insert(1, R"("a\u001b]0;x\u0007\n\u009b\u0000": 1,)");
  files::write_folder(path, files);
  expect_refusal(inspect({path}), 4, R"(a\x1b]0;x\x07\n\u009b\x00: unknown setting)");
}

TEST_F(InspectTest, JsonHoldsTheSameForPrograms) {
  test::write_tiny_bundle(path);
  const json short_report = json::parse(inspect({path, "--format", "json"}).out);
  const json long_report = json::parse(inspect({"-m", path, "--format", "json", "--tensors"}).out);
  EXPECT_EQ(short_report["parameters"]["total"].dump(), total);
  EXPECT_FALSE(short_report.contains("tensors"));
  EXPECT_EQ(long_report["tensors"].size(), 50U);
}

TEST_F(InspectTest, ACheckpointShowsItsUpdateAndEpoch) {
  test::write_tiny_checkpoint(path, 500);
  const Outcome outcome = inspect({path});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              HasSubstr("state           updates 500, epoch 3, target_tokens 9000, minutes 0.5, best 21.5"));
  EXPECT_THAT(outcome.out, HasSubstr("optimizer       2 tensors, 160 bytes\n"));
}

TEST_F(InspectTest, ARunShowsEachOfItsParts) {
  test::write_tiny_run(path);
  const Outcome outcome = inspect({path});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith(path + ": run folder, "));
  EXPECT_THAT(outcome.out, HasSubstr("last_report     updates 500, loss 2.25\n"));
  EXPECT_THAT(outcome.out, HasSubstr("  checkpoints/step-00000400"));
  EXPECT_THAT(outcome.out, HasSubstr("  latest is checkpoints/step-00000500\n"));
  EXPECT_THAT(outcome.out, HasSubstr("the same command resumes from checkpoints/step-00000500\n"));
}

TEST_F(InspectTest, ADamagedPartOfARunIsShownAndEndsWithFour) {
  test::write_tiny_run(path);
  folder.file("m/best/source.spm", "damaged");
  const Outcome outcome = inspect({path});
  EXPECT_EQ(outcome.code, 4);
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("DAMAGED: "), HasSubstr("checkpoints/step-00000500 "), HasSubstr("updates 500")));
  EXPECT_THAT(outcome.err,
              AllOf(StartsWith("ventris-inspect: "), HasSubstr("m/best/source.spm: damaged: MANIFEST says ")));
}

TEST_F(InspectTest, TokenizersThatCannotBeTrustedAreRefused) {
  const std::string tokenizer = folder.file("bad.spm", test::bad_tokenizer());
  const std::string corpus = folder.file("corpus", "a\n");
  expect_refusal(inspect({"--corpus", corpus, "--tokenizer", tokenizer}), 4, tokenizer + test::kBadTokenizer);
  model::Package package = test::tiny_package();
  package.source_spm = test::bad_tokenizer();
  model::write_bundle(path, package, test::tiny_weights(package.config.architecture->src_vocab()));
  expect_refusal(inspect({path}), 4, path + ": source.spm" + test::kBadTokenizer);
}

TEST_F(InspectTest, WeightsThatAreNoNumbersAreShownAndEndWithFour) {
  const model::Package package = test::tiny_package();
  const std::string weights = test::tiny_weights(package.config.architecture->src_vocab());
  model::write_bundle(path, package, test::with_value(weights, "encoder.norm.weight", HUGE_VALF));
  const Outcome outcome = inspect({path});
  EXPECT_EQ(outcome.code, 4);
  EXPECT_THAT(outcome.out, HasSubstr("not finite      encoder.norm.weight: 0 NaN and 1 infinite of 4 values\n"));
  EXPECT_THAT(outcome.err, HasSubstr("m/model.safetensors: tensor 'encoder.norm.weight': 0 of 4 values are NaN"));
}

TEST_F(InspectTest, ARunGoesOnFromItsNewestWholeCheckpoint) {
  test::write_tiny_run(path);
  folder.file("m/checkpoints/step-00000500/state.json", "damaged");
  const json one = json::parse(inspect({path, "--format", "json"}).out);
  EXPECT_EQ(one["resumable"], true);
  EXPECT_EQ(one["goes_on_from"], "step-00000400");
  EXPECT_EQ(one["finished"], false);
  folder.file("m/checkpoints/step-00000400/state.json", "damaged");
  const Outcome none = inspect({path});
  EXPECT_EQ(none.code, 4);
  EXPECT_THAT(none.out, HasSubstr("the run cannot be resumed: it has no intact checkpoint\n"));
}

TEST_F(InspectTest, TheBestValidationOfARunIsShown) {
  test::write_tiny_run(path);
  folder.file("m/metrics.jsonl",
              "{\"kind\":\"valid\",\"updates\":300,\"bleu\":20.5,\"best\":true}\n"
              "{\"kind\":\"valid\",\"updates\":400,\"bleu\":19.5,\"best\":false}\n");
  EXPECT_THAT(inspect({path}).out, HasSubstr("best_validation kind valid, updates 300, bleu 20.5, best true\n"));
}

TEST_F(InspectTest, AnExportIsShown) {
  const model::Package package = test::tiny_package();
  const int64_t vocab = package.config.architecture->src_vocab();
  const auto tensors = model::summarise(model::Safetensors::parse(test::tiny_weights(vocab), "weights"));
  test::write_zip(path, {{"m/extra/config.json", package.config.to_json().dump()},
                         {"m/extra/source.spm", package.source_spm},
                         {"m/extra/tensors.json", model::tensors_to_json(tensors)}});
  const Outcome outcome = inspect({path});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(StartsWith(path + ": TorchScript export, "), HasSubstr("\n" + total + " parameters")));
}

TEST_F(InspectTest, WhatIsWrongIsOneSentenceAndEndsWithFour) {
  expect_refusal(inspect({folder.path("none")}), 4,
                 "none: does not exist; expected a bundle folder or a TorchScript file");
  expect_refusal(inspect({folder.path()}), 4, "or a run folder");
  expect_refusal(inspect({folder.file("text", "words")}), 4,
                 "text: damaged, or neither a bundle folder nor a TorchScript file");
  test::write_tiny_bundle(path);
  std::string weights = test::file_bytes(path + "/model.safetensors");
  weights[weights.size() - 5] = static_cast<char>(weights[weights.size() - 5] ^ 1);
  folder.file("m/model.safetensors", weights);
  expect_refusal(inspect({path}), 4, "m/model.safetensors: damaged: its checksum differs from MANIFEST's");
}

TEST_F(InspectTest, ACorpusIsShownAsTextAndAsJson) {
  const std::string source = folder.file("a.en", "Two dogs.\nTwo dogs.\n\n"), target = folder.file("a.de", "1\n2\n\n");
  const Outcome text = inspect({"--corpus", source, target});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_EQ(text.err, "");
  EXPECT_THAT(text.out, AllOf(HasSubstr("source: 3 lines\n"), HasSubstr("duplicates   1 (33.33 %)\n")));
  const json report = json::parse(inspect({"--corpus", source, target, "--format", "json"}).out);
  EXPECT_EQ(report["source"]["words"]["total"], 4);
  EXPECT_EQ(report["pairs"]["pairs"], 3);
}

TEST_F(InspectTest, ChangesOfTheTrainingTextAreShownBeforeAndAfter) {
  const std::string source = folder.file("a.en", "Two dogs.\nOne dog.\n"), target = folder.file("a.de", "b\nc\n");
  const std::string settings = folder.file("s.json", R"({"data": {"modifiers": [{"kind": "upper", "share": 1}]}})");
  const Outcome text = inspect({"--corpus", source, target, "--modifiers", settings});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out,
              StartsWith("upper, share 1: 2 examples\n  line 1\n    source  Two dogs.\n        =>  TWO DOGS."));
  const Outcome report =
      test::run_program("ventris-inspect", {"--tsv", "-", "--modifiers", settings, "--format", "json"}, "a\tb\n");
  EXPECT_EQ(json::parse(report.out)["modifiers"][0]["examples"][0]["after"]["target"], "B");
}

TEST_F(InspectTest, ChangesOfATranslationMemoryAreShown) {
  const std::string memory = folder.file(
      "a.tmx",
      "<tmx><tu><tuv xml:lang=\"en-GB\"><seg>Two dogs.</seg></tuv><tuv xml:lang=\"de\"><seg>b</seg></tuv></tu></tmx>");
  const std::string settings = folder.file("s.json", R"({"data": {"modifiers": [{"kind": "upper", "share": 1}]}})");
  const Outcome text = inspect({"--tsv", memory + ":en:de", "--modifiers", settings});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out,
              StartsWith("upper, share 1: 1 example\n  line 1\n    source  Two dogs.\n        =>  TWO DOGS."));
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--modifiers", settings}}) {
    std::vector<std::string> arguments{"--tsv", memory};
    arguments.insert(arguments.end(), more.begin(), more.end());
    expect_refusal(
        inspect(arguments), 3,
        "a.tmx: the languages of a translation memory must be given, as in " + memory + ":en:de; it has: de, en-GB");
    arguments[1] += ":en:fr";
    expect_refusal(inspect(arguments), 3,
                   "a.tmx: none of its 1 units has a text in both en and fr; its languages: de, en-GB");
  }
}

TEST_F(InspectTest, SettingsWithoutUsableModifiersAreRefused) {
  const std::string corpus = folder.file("a.tsv", "a\tb\n");
  const auto refuse = [&](const std::string& settings, const std::string& part) {
    expect_refusal(inspect({"--tsv", corpus, "--modifiers", folder.file("s.json", settings)}), 2, part);
  };
  refuse("{}", "s.json: data.modifiers: has no entry, so there is nothing to show");
  const std::string tags =
      R"("data": {"modifiers": [{"kind": "tags", "share": 1}]}, "training": {"guided_alignment": )";
  refuse("{" + tags + R"({"links": "corpora"}}})",
         "training.guided_alignment.links: --modifiers can take the links from a file or learn them ('train'), found "
         "'corpora'");
  const std::string learnt = folder.file("learnt.json", "{" + tags + R"({"links": "train"}}})");
  expect_refusal(test::run_program("ventris-inspect", {"--tsv", "-", "--modifiers", learnt}, "a\tb\n"), 2,
                 "--tsv -: links are learnt before the pairs are shown, and standard input can be read only once");
  const std::string source = folder.file("a.src", "a\n");
  expect_refusal(test::run_program("ventris-inspect", {"--corpus", source, "-", "--modifiers", learnt}, "b\n"), 2,
                 "--corpus -: links are learnt before the pairs are shown");
  expect_refusal(inspect({"--corpus", source, folder.file("b.tgt", "a\nb\n"), "--modifiers", learnt}), 3,
                 "line counts differ");
  const std::string terms = folder.file("terms.json", R"({"data": {"modifiers": [{"kind": "terms", "share": 1}]},
          "training": {"guided_alignment": {"links": ")" + folder.file("links", "0-0\n") +
                                                          R"("}}})");
  expect_refusal(test::run_program("ventris-inspect", {"--tsv", "-", "--modifiers", terms}, "a\tb\n"), 2,
                 "--tsv -: terms are collected before the pairs are shown");
  refuse(R"({"data": {"modifiers": [{"kind": "typo", "share": 1}]}})",
         "s.json: data.modifiers[0].kind: expected one of upper, title, typos, punctuation, emoji, merge, copy, tags, "
         "terms; got "
         "'typo' (did you mean 'typos'?)");
  refuse("{", "s.json:1:2: not valid JSON");
}

TEST_F(InspectTest, ACorpusMayComeFromStandardInput) {
  const Outcome outcome = test::run_program("ventris-inspect", {"--tsv", "-", "--format", "json"}, "a b\tc\nd\te\n");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(json::parse(outcome.out)["source"]["path"], "standard input");
  EXPECT_EQ(json::parse(outcome.out)["source"]["words"]["total"], 3);
}

TEST_F(InspectTest, TokensOfACorpusAreCountedWithAModelOrATokenizer) {
  test::write_tiny_bundle(path);
  const std::string corpus = folder.file("a.en", "My sister likes bread.\n\u4e00\n");
  const json of_model = json::parse(inspect({"--corpus", corpus, "-m", path, "--format", "json"}).out);
  EXPECT_EQ(of_model["source"]["unknown"]["tokens"], 1);
  const Outcome outcome = inspect({"--corpus", corpus, "--tokenizer", path + "/source.spm", "--format", "json"});
  EXPECT_EQ(json::parse(outcome.out)["source"]["tokens"].dump(), of_model["source"]["tokens"].dump());
}

TEST_F(InspectTest, LinesOfATestSetInTheCorpusAreCounted) {
  const std::string corpus = folder.file("a.en", "one\ntwo\nthree\n"), test_set = folder.file("t.en", "two\nfour\n");
  const json report = json::parse(inspect({"--corpus", corpus, "--overlap", test_set, "--format", "json"}).out);
  EXPECT_EQ(report["overlap"].dump(), R"({"in_corpus":{"first_line":2,"lines":1},"lines":2,"source":1})");
}

TEST_F(InspectTest, ACorpusThatCannotBeTrainedOnIsShownAndEndsWithThree) {
  const Outcome outcome = inspect({"--corpus", folder.file("a.en", "1\n2\n"), folder.file("a.de", "1\n")});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.out, HasSubstr("NOT USABLE"));
  EXPECT_THAT(outcome.err, StartsWith("ventris-inspect: line counts differ: "));
  expect_refusal(inspect({"--corpus", folder.path("none")}), 3, "none: cannot be read");
}

TEST_F(InspectTest, WrongFlagsEndWithTwo) {
  expect_refusal(inspect({}), 2, "path: missing; give a model, checkpoint or run folder, or a corpus");
  EXPECT_EQ(inspect({"--corpus", "a", "--tsv", "b"}).code, 2);
  EXPECT_EQ(inspect({path, "--format", "xml"}).code, 2);
  EXPECT_THAT(inspect({path, "--tensor"}).err, HasSubstr("unknown argument '--tensor' (did you mean '--tensors'?)"));
}

TEST_F(InspectTest, AnEditedBundleIsResealedAndTheLogSaysWhatChanged) {
  test::write_tiny_bundle(path);
  EXPECT_THAT(inspect({path, "--reseal"}).err, HasSubstr("m: nothing has changed; nothing is written"));
  const std::string file = path + "/model.safetensors", weights = test::file_bytes(file);
  folder.file("m/model.safetensors", test::with_value(weights, "generator.proj.bias", 0.5F));
  EXPECT_EQ(inspect({path}).code, 4);
  const Outcome resealed = inspect({"--reseal", path});
  EXPECT_EQ(resealed.code, 0) << resealed.err;
  EXPECT_EQ(resealed.out, "");
  EXPECT_THAT(resealed.err, HasSubstr("m: model.safetensors: changed: had "));
  EXPECT_THAT(resealed.err, HasSubstr("m: the new MANIFEST has the checksums of these files"));
  EXPECT_EQ(inspect({path}).code, 0);
  folder.file("m/model.safetensors", test::with_value(weights, "generator.proj.bias", NAN));
  expect_refusal(inspect({"--reseal", path}), 4, "tensor 'generator.proj.bias': 1 of");
}

TEST_F(InspectTest, FlagsThatWouldChangeNothingAreRefused) {
  expect_refusal(inspect({path, "--reseal", "--tensors"}), 2, "--reseal: describes nothing");
  const std::string text = folder.file("a.en", "a\n");
  expect_refusal(inspect({"--overlap", text}), 2, "--overlap: needs a corpus (--corpus or --tsv)");
  expect_refusal(inspect({path, "--tokenizer", text}), 2, "--tokenizer: needs a corpus");
  expect_refusal(inspect({"--modifiers", text}), 2, "--modifiers: needs a corpus");
  expect_refusal(inspect({"--modifiers", text, "--corpus", text}), 2,
                 "--modifiers: change sentence pairs; give a source");
  for (const char* flag : {"-m", "--overlap", "--tokenizer"}) {
    expect_refusal(inspect({"--modifiers", text, "--tsv", text, flag, text}), 2,
                   std::string(flag) + ": has no effect with --modifiers, which shows texts");
  }
  expect_refusal(inspect({"--tensors", "--corpus", text}), 2, "--tensors: a corpus has no tensors");
  expect_refusal(inspect({"--reseal", "--corpus", text}), 2, "--reseal: a corpus has no checksums");
  expect_refusal(inspect({"-m", path, "--tokenizer", text, "--corpus", text}), 2,
                 "--tokenizer: cannot be used with -m");
}

}  // namespace
}  // namespace ventris
