#include "model/inspection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <cmath>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "files/folders.h"
#include "model/inspection_text.h"
#include "support/changed_weights.h"
#include "support/errors.h"
#include "support/model_writer.h"
#include "support/temp_folder.h"
#include "support/tiny_run.h"
#include "support/zip.h"

namespace ventris::model {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;

/// What the tensors of tests/support/tiny_bundle.h add up to.
int64_t tiny_total(int64_t vocab) { return 448 + 4 * vocab + vocab; }

class InspectionTest : public testing::Test {
 protected:
  const test::TempFolder folder;
  const std::string path = folder.path("m");
};

TEST_F(InspectionTest, ABundleSaysWhatItIsMadeOf) {
  test::write_tiny_bundle(path);
  const ordered_json found = inspect(path);
  const int64_t vocab = found["settings"]["src_vocab"];
  EXPECT_EQ(found["kind"], "bundle");
  EXPECT_EQ(found["format_version"], 1);
  EXPECT_EQ(found["settings"]["d_model"], 4);
  EXPECT_EQ(found["tokenizers"]["source"]["pieces"], vocab);
  EXPECT_EQ(found["tokenizers"]["source"]["kind"], "unigram");
  EXPECT_FALSE(found["tokenizers"].contains("target"));
  EXPECT_EQ(found["provenance"]["updates"], 7);
  EXPECT_EQ(found["parameters"]["total"], tiny_total(vocab));
  EXPECT_EQ(found["parameters"]["modules"].size(), 5U);
  EXPECT_EQ(found["tensors"].size(), 50U);
  uint64_t bytes = 0;
  for (const ordered_json& file : found["files"]) bytes += file["bytes"].get<uint64_t>();
  EXPECT_EQ(found["files"].size(), 4U);
  EXPECT_EQ(found["bytes"], bytes);
}

TEST_F(InspectionTest, AnExportSaysTheSameAsItsBundle) {
  test::write_tiny_bundle(path);
  const Package package = read_package(path);
  test::write_zip(folder.path("m.pt"), {{"m/extra/config.json", package.config.to_json().dump()},
                                        {"m/extra/source.spm", package.source_spm},
                                        {"m/extra/tensors.json", tensors_to_json(package.tensors)}});
  const ordered_json bundle = inspect(path), exported = inspect(folder.path("m.pt"));
  EXPECT_EQ(exported["kind"], "torchscript");
  for (const char* key : {"settings", "tokenizers", "decoding", "provenance", "parameters", "tensors"}) {
    EXPECT_EQ(exported[key], bundle[key]) << key;
  }
}

TEST_F(InspectionTest, ACheckpointSaysHowFarTheTrainingWas) {
  test::write_tiny_checkpoint(path, 500);
  const ordered_json found = inspect(path);
  EXPECT_EQ(found["kind"], "checkpoint");
  EXPECT_EQ(found["state"]["updates"], 500);
  EXPECT_EQ(found["state"]["epoch"], 3);
  EXPECT_EQ(found["state"]["best"], 21.5);
  EXPECT_EQ(found["optimizer"]["tensors"], 2);
  EXPECT_EQ(found["settings"]["d_model"], 4);
  EXPECT_EQ(found["parameters"]["total"], tiny_total(12));
}

TEST_F(InspectionTest, ARunListsItsCheckpointsAndItsLastWholeReport) {
  test::write_tiny_run(path);
  const ordered_json found = inspect(path);
  EXPECT_EQ(found["kind"], "run");
  ASSERT_EQ(found["checkpoints"].size(), 2U);
  EXPECT_EQ(found["checkpoints"][0]["name"], "step-00000400");
  EXPECT_EQ(found["checkpoints"][1]["updates"], 500);
  EXPECT_EQ(found["latest"], "checkpoints/step-00000500");
  EXPECT_EQ(found["best"]["updates"], 7);
  EXPECT_EQ(found["last_report"]["loss"], 2.25);
  EXPECT_FALSE(found.contains("final"));
  EXPECT_FALSE(found.contains("problem"));
  EXPECT_EQ(inspect(path + "/latest")["state"]["updates"], 500);
}

TEST_F(InspectionTest, ADamagedReportOfARunIsPassedOver) {
  test::write_tiny_run(path);
  std::ofstream(path + "/metrics.jsonl", std::ios::app)
      << "\n{\"kind\": \"valid\", \"best\": \"x\", \"loss\": 2}\n{\"kind\": 7}\n[]\n";
  const ordered_json found = inspect(path);
  EXPECT_EQ(found["last_report"]["loss"], 2);
  EXPECT_FALSE(found.contains("best_validation"));
}

TEST_F(InspectionTest, ARunListsItsAveragedModel) {
  test::write_tiny_run(path);
  test::write_tiny_bundle(path + "/averaged");
  const ordered_json found = inspect(path);
  EXPECT_EQ(found["averaged"]["updates"], 7);
  EXPECT_THAT(to_text(found, /*tensors=*/false), HasSubstr("  averaged "));
}

TEST_F(InspectionTest, ADamagedCheckpointOfARunIsNamedBesideTheWholeOnes) {
  test::write_tiny_run(path);
  folder.file("m/checkpoints/step-00000400/state.json", "{}");
  const ordered_json found = inspect(path);
  const std::string problem = found["problem"];
  EXPECT_THAT(problem, HasSubstr("step-00000400/state.json: damaged"));
  EXPECT_EQ(found["checkpoints"][0]["problem"], problem);
  EXPECT_EQ(found["checkpoints"][1]["updates"], 500);
}

TEST_F(InspectionTest, WeightsThatAreNoNumbersAreListedAndAProblem) {
  const Package package = test::tiny_package();
  const std::string weights = test::tiny_weights(package.config.architecture->src_vocab());
  write_bundle(path, package, test::with_value(weights, "encoder.norm.weight", std::nanf("")));
  const ordered_json found = inspect(path);
  EXPECT_EQ(found["non_finite"],
            ordered_json::parse(R"([{"tensor": "encoder.norm.weight", "values": 4, "nan": 1, "infinite": 0}])"));
  EXPECT_EQ(found["problem"], path + "/model.safetensors: tensor 'encoder.norm.weight': 1 of 4 values are NaN and 0 " +
                                  "infinite; use a model from before the training went wrong");
  const std::string text = to_text(found, /*tensors=*/false);
  EXPECT_THAT(text, HasSubstr("NaN OR INFINITE VALUES; all checksums are correct\n"));
  EXPECT_THAT(text, HasSubstr("not finite      encoder.norm.weight: 1 NaN and 0 infinite of 4 values\n"));
}

TEST_F(InspectionTest, ACheckpointOfARunWithValuesThatAreNoNumbersIsNamedAndTheRunGoesOnFromIt) {
  test::write_tiny_run(path);
  const std::string weights = test::with_value(test::tiny_weights(12), "decoder.norm.bias", HUGE_VALF);
  const std::string moments = write_safetensors({}, {});
  files::write_folder(
      path + "/checkpoints/step-00000500",
      {{"model.safetensors", weights}, {"optimizer.safetensors", moments}, {"state.json", test::tiny_state(500)}});
  const ordered_json found = inspect(path);
  EXPECT_EQ(found["checkpoints"][1]["non_finite"][0]["infinite"], 1);
  EXPECT_EQ(found["problem"], found["checkpoints"][1]["problem"]);
  EXPECT_EQ(found["goes_on_from"], "step-00000500");
  EXPECT_THAT(to_text(found, /*tensors=*/false), HasSubstr("NOT FINITE: "));
}

TEST_F(InspectionTest, ATokenizerOfACheckpointIsCheckedToo) {
  const std::string none = write_safetensors({}, {});
  files::write_folder(path, {{"model.safetensors", none},
                             {"optimizer.safetensors", none},
                             {"source.spm", test::written_model() + test::piece_field("")},
                             {"state.json", test::tiny_state(5)}});
  EXPECT_FAILS(inspect(path), ModelError, "m/source.spm: piece 5: expected 1 to 512 bytes, found 0");
}

TEST_F(InspectionTest, ATokenizerOfAnotherSizeIsRefused) {
  Package package = test::tiny_package();
  const int64_t vocab = package.config.architecture->src_vocab() + 1;
  test::shape_of(package.config).src_vocab = test::shape_of(package.config).tgt_vocab = vocab;
  write_bundle(path, package, test::tiny_weights(vocab));
  EXPECT_FAILS(inspect(path), ModelError,
               "m: source.spm: expected " + std::to_string(vocab) + " pieces as in config.json, found");
}

TEST_F(InspectionTest, CheckpointsThatSayTooLittleAreRefused) {
  const auto refused = [&](const std::string& state, const std::string& part) {
    const std::string weights = write_safetensors({}, {});
    files::write_folder(path,
                        {{"model.safetensors", weights}, {"optimizer.safetensors", weights}, {"state.json", state}});
    EXPECT_FAILS(inspect(path), ModelError, part) << state;
  };
  refused("[]", "m/state.json: expected an object");
  refused("{", "m/state.json:1:2: not valid JSON");
  refused(R"({"state":1e999})", "number overflow parsing '1e999'");
  refused("{}", "m/state.json: is not a training state: it has no 'state'");
  refused(R"({"state":{"progress":3}})", "it has no 'updates'");
  files::write_folder(path, {{"state.json", "{}"}});
  EXPECT_FAILS(inspect(path), ModelError,
               "m: is not a complete checkpoint: its MANIFEST does not list model.safetensors");
}

TEST_F(InspectionTest, WhatIsNoModelAtAllIsRefused) {
  EXPECT_FAILS(inspect(folder.path("none")), ModelError, "none: does not exist");
  EXPECT_FAILS(inspect(folder.path()), ModelError,
               "expected a bundle or checkpoint folder (with a MANIFEST) or a run folder");
  EXPECT_FAILS(inspect(folder.file("text", "words")), ModelError, "text: damaged, or neither a bundle folder nor");
}

TEST_F(InspectionTest, ARunKilledBeforeItsFirstCheckpointCannotGoOn) {
  std::filesystem::create_directories(path);
  folder.file("m/config.json", R"({"model": {"d_model": 4}})");
  folder.file("m/train.log", "");
  const auto found = inspect(path);
  EXPECT_EQ(found["resumable"], false);
  EXPECT_TRUE(found["checkpoints"].empty());
}

}  // namespace
}  // namespace ventris::model
