#include "backend/open_module.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "backend/module_scorer.h"
#include "backend/module_weights.h"
#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/tiny_bundle.h"
#include "support/tiny_model.h"
#include "support/tiny_script.h"

namespace ventris::backend {
namespace {

using Ids = std::vector<int32_t>;

/// All continuations of the first step of a sentence: ids, then -1 for those that may not come.
Ids first_ids(decoding::StepScorer& scorer, std::vector<float>* log_probs = nullptr) {
  const Ids source{5, 6, 7, 3}, parents{0}, last{2};
  scorer.admit(std::vector<std::span<const int32_t>>{source});
  decoding::StepRequest request;
  request.parents = parents;
  request.last_ids = last;
  request.continuations = scorer.info().vocab;
  const auto found = scorer.advance(request);
  if (log_probs != nullptr) log_probs->assign(found.log_probs.begin(), found.log_probs.end());
  return {found.ids.begin(), found.ids.end()};
}

class OpenModel : public testing::Test {
 protected:
  OpenModel() {
    model::write_bundle(bundle, test::package_of_tiny_model(), save_weights(*model));
    auto package = test::package_of_tiny_model();
    test::shape_of(package.config).src_vocab = test::shape_of(package.config).tgt_vocab = test::kTinyScriptVocab;
    test::write_tiny_script(script, {{model::kExtraConfig, package.config.to_json().dump()},
                                     {model::kExtraSourceSpm, package.source_spm},
                                     {model::kExtraTensors, "[]"}});
  }
  decoding::OpenedModel of_bundle() const {
    const auto loaded = model::read_model(bundle);
    return {"bundle", loaded.package.config.to_json().dump(), loaded.weights};
  }
  decoding::OpenedModel of_script(const std::string& path) const {
    return {path, model::read_package(script).config.to_json().dump(), {}, std::make_shared<const std::string>(path)};
  }

  test::TempFolder folder;
  families::EncoderDecoder model = test::tiny_model(3);
  std::string bundle = folder.path("bundle"), script = folder.path("script.pt");
};

TEST_F(OpenModel, ABundleIsScoredByTheModuleItHolds) {
  const auto opened = open_model({of_bundle(), "cpu", false})->make();
  const auto options = scorer_options(test::package_of_tiny_model().config, torch::kCPU, false);
  const auto direct = make_module_scorer(model, options);
  std::vector<float> found, expected;
  EXPECT_EQ(first_ids(*opened, &found), first_ids(*direct, &expected));
  EXPECT_EQ(found, expected);
  EXPECT_EQ(opened->info().vocab, 23);
  EXPECT_EQ(opened->info().max_length, 64);
}

TEST_F(OpenModel, ATorchScriptFileIsScoredByItsOwnMethods) {
  const auto opened = open_model({of_script(script), "cpu", false})->make();
  EXPECT_EQ(opened->info().vocab, test::kTinyScriptVocab);
  EXPECT_EQ(opened->info().max_length, 64);
  std::vector<float> found;
  EXPECT_EQ(first_ids(*opened, &found)[0], 3);
  EXPECT_NEAR(found[0], test::tiny_script_log_prob({5, 6, 7, 3}, {2}, 3), 1e-5);
}

TEST_F(OpenModel, UnkComesOnlyIfItIsAllowed) {
  for (const decoding::OpenedModel& opened : {of_bundle(), of_script(script)}) {
    for (const bool allow_unk : {false, true}) {
      const auto ids = first_ids(*open_model({opened, "cpu", allow_unk})->make());
      EXPECT_EQ(std::count(ids.begin(), ids.end(), 1), allow_unk ? 1 : 0) << opened.name;
      EXPECT_EQ(std::count(ids.begin(), ids.end(), 0) + std::count(ids.begin(), ids.end(), 2), 0) << opened.name;
    }
  }
}

TEST_F(OpenModel, WhatCannotBeOpenedIsNamed) {
  decoding::OpenedModel opened = of_bundle();
  opened.config = "{}";
  EXPECT_FAILS(open_model({opened, "cpu", false}), ModelError, "bundle: format_version: missing");
  opened = of_bundle();
  opened.weights = core::SharedBytes(model::write_safetensors({}, {}));
  EXPECT_FAILS(open_model({opened, "cpu", false}), ModelError, "bundle/model.safetensors: ");
  EXPECT_FAILS(open_model({of_script(folder.file("text.pt", "no archive")), "cpu", false}), ModelError, "text.pt");
}

TEST_F(OpenModel, TheDeviceIsTheFirstThingThatIsChecked) {
  EXPECT_FAILS(open_model({{"none"}, "gpu", false}), ConfigError, "device: expected cpu, cuda or cuda:N, got 'gpu'");
}

TEST(ScorerOptions, AreTheIdsAndTheLengthOfTheModel) {
  model::ModelConfig config;
  config.tokenizer.ids = {7, 8, 5, 6};
  test::shape_of(config).max_positions = 99;
  const auto options = scorer_options(config, torch::kCPU, false);
  EXPECT_EQ(options.ids.pad, 7);
  EXPECT_EQ(options.ids.bos, 5);
  EXPECT_EQ(options.ids.eos, 6);
  EXPECT_EQ(options.max_length, 99);
  EXPECT_EQ(options.never, (Ids{7, 5, 8}));
  EXPECT_EQ(scorer_options(config, torch::kCPU, true).never, (Ids{7, 5}));
}

TEST(DescribeLibraries, NamesLibTorchBlasAndTheKernelsInOneLine) {
  const std::string text = describe_libraries();
  EXPECT_TRUE(text.starts_with("LibTorch " TORCH_VERSION ", BLAS: ")) << text;
  EXPECT_NE(text.find(", kernels: "), std::string::npos) << text;
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
}

}  // namespace
}  // namespace ventris::backend
