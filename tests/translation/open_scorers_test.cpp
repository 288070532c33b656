#include "translation/open_scorers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "architecture/rnn_options.h"
#include "core/error.h"
#include "core/log.h"
#include "engine/factory.h"
#include "model/lexicon.h"
#include "support/copy_model.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "translation/scorer_loader.h"

namespace ventris::translation {
namespace {

using testing::HasSubstr;
using testing::Not;

class OpenScorers : public testing::Test {
 protected:
  void SetUp() override { test::write_copying_bundle(bundle); }
  void TearDown() override { unsetenv("VENTRIS_BACKEND"); }

  std::shared_ptr<const decoding::ScorerFactory> open(const ScorerSettings& settings) const {
    return open_scorers(model::read_model(bundle), settings);
  }
  /// LibTorch's library is not there, so whatever needs it fails with this name.
  void without_torch() const { setenv("VENTRIS_BACKEND", folder.path("none.so").c_str(), 1); }

  test::TempFolder folder;
  std::string bundle = folder.path("bundle");
};

TEST_F(OpenScorers, TakesTheEngineWithoutLoadingLibTorch) {
  for (const Precision precision :
       {Precision::kAuto, Precision::kFast, Precision::kF32, Precision::kBf16, Precision::kInt8}) {
    EXPECT_EQ(open({.precision = precision})->make()->info().max_length, 64);
  }
  without_torch();
  EXPECT_EQ(open({.backend = Backend::kEngine})->make()->info().max_length, 64);
}

TEST_F(OpenScorers, TakesLibTorchIfItIsAskedForOrNamed) {
  without_torch();
  EXPECT_FAILS(open({.backend = Backend::kTorch}), NoBackendError,
               "LibTorch is needed (backend torch), but the translation backend was not found");
  EXPECT_FAILS(open({}), NoBackendError, "none.so");
}

TEST_F(OpenScorers, RefusesWhatDoesNotGoTogether) {
  EXPECT_FAILS(open({.backend = Backend::kTorch, .precision = Precision::kInt8}), ConfigError,
               "precision: the backend torch computes only in f32; leave precision out, or use the backend engine");
  EXPECT_FAILS(open({.device = "cuda", .backend = Backend::kEngine}), ConfigError,
               "backend engine: the engine cannot run this model: it does not support the device cuda; leave "
               "backend and precision out to use LibTorch");
  EXPECT_FAILS(open({.device = "cuda:1", .precision = Precision::kBf16}), ConfigError,
               "precision: the engine cannot run this model: it does not support the device cuda:1");
}

/// A lexicon without a target piece, for the tokenizers of the bundle or with another checksum.
model::Lexicon empty_lexicon(const std::string& bundle, uint32_t change = 0) {
  const model::Package package = model::read_package(bundle);
  const int64_t vocab = package.config.architecture->src_vocab();
  auto tokenizers = model::lexicon_tokenizers(package.source_spm, vocab, package.target_spm, vocab);
  tokenizers.source_crc += change;
  return {tokenizers, {}, std::vector<std::vector<int32_t>>(static_cast<size_t>(vocab))};
}

TEST_F(OpenScorers, TakesTheEngineForAShortlist) {
  without_torch();
  const std::string lexicon = folder.file("lexicon", empty_lexicon(bundle).bytes());
  EXPECT_EQ(open({.shortlist = {lexicon}})->make()->info().max_length, 64);
  EXPECT_EQ(open({.precision = Precision::kInt8, .shortlist = {lexicon}})->make()->info().max_length, 64);
}

TEST_F(OpenScorers, RefusesShortlistsWithoutTheEngineAndThoseOfOtherModels) {
  const std::string lexicon = folder.file("lexicon", empty_lexicon(bundle).bytes());
  EXPECT_FAILS(open({.backend = Backend::kTorch, .shortlist = {lexicon}}), ConfigError,
               "shortlist: the backend torch always computes the whole vocabulary; leave shortlist out, or use "
               "the backend engine");
  EXPECT_FAILS(open({.device = "cuda", .shortlist = {lexicon}}), ConfigError,
               "shortlist: the engine cannot run this model: it does not support the device cuda; leave backend, "
               "precision and shortlist out to use LibTorch");
  const std::string other = folder.file("other", empty_lexicon(bundle, 1).bytes());
  EXPECT_FAILS(open({.shortlist = {other}}), ModelError, "other: was made for other tokenizers");
  EXPECT_FAILS(open({.shortlist = {folder.file("text", "no lexicon")}}), ModelError, "text: is not a lexicon");
  EXPECT_FAILS(open({.shortlist = {folder.path("none")}}), DataError, "none");
}

/// What is logged at the level debug while this fails because LibTorch's library is not there.
template <typename Open>
std::string debug_log_of(const Open& open) {
  core::set_log_level("debug");
  testing::internal::CaptureStderr();
  EXPECT_THROW(open(), NoBackendError);
  core::set_log_level("info");
  return testing::internal::GetCapturedStderr();
}

TEST_F(OpenScorers, LogsWhyAModelDoesNotRunOnTheEngine) {
  without_torch();
  const std::string start = "the model runs on LibTorch, not on the engine: ";
  const auto log_of = [&](const ScorerSettings& settings) { return debug_log_of([&] { open(settings); }); };
  EXPECT_THAT(log_of({.backend = Backend::kTorch}), HasSubstr(start + "backend torch\n"));
  EXPECT_THAT(log_of({.device = "cuda:1"}), HasSubstr(start + "the device cuda:1\n"));
  EXPECT_THAT(log_of({}), HasSubstr(start + "VENTRIS_BACKEND is set\n"));
  const auto of_another_family = [&] {
    model::LoadedModel loaded = model::read_model(bundle);
    loaded.package.config.architecture = std::make_shared<architecture::RnnArchitecture>();
    open_scorers(std::move(loaded), {});
  };
  EXPECT_THAT(debug_log_of(of_another_family), HasSubstr(start + "the family 'rnn'\n"));
  const auto of_an_export = [&] {
    model::LoadedModel loaded = model::read_model(bundle);
    loaded.weights = {};
    open_scorers(std::move(loaded), {});
  };
  EXPECT_THAT(debug_log_of(of_an_export), HasSubstr(start + "TorchScript files\n"));
}

TEST_F(OpenScorers, TheReasonIsOnlyLoggedIfTheEngineIsNotUsed) {
  core::set_log_level("debug");
  testing::internal::CaptureStderr();
  open({});
  core::set_log_level("info");
  EXPECT_THAT(testing::internal::GetCapturedStderr(), Not(HasSubstr("LibTorch")));
}

TEST_F(OpenScorers, NamesAFamilyThatTheEngineCannotRun) {
  model::LoadedModel loaded = model::read_model(bundle);
  loaded.package.config.architecture = std::make_shared<architecture::RnnArchitecture>();
  EXPECT_FAILS(open_scorers(std::move(loaded), {.backend = Backend::kEngine}), ConfigError,
               "it does not support the family 'rnn'");
}

/// A packed model beside the bundle from which it was made.
class OpenPackedModel : public OpenScorers {
 protected:
  void SetUp() override {
    OpenScorers::SetUp();
    const model::Bundle opened = model::read_bundle(bundle);
    model::write_packed(packed, opened.package, engine::pack_bundle(opened, engine::Precision::kInt8));
  }
  std::shared_ptr<const decoding::ScorerFactory> open_packed(const ScorerSettings& settings) const {
    return open_scorers(model::read_model(packed), settings);
  }

  const std::string packed = folder.path("packed");
};

TEST_F(OpenPackedModel, IsForTheEngineWhateverElseIsThere) {
  without_torch();
  EXPECT_EQ(open_packed({})->make()->info().max_length, 64);
  EXPECT_EQ(open_packed({.backend = Backend::kEngine, .precision = Precision::kInt8})->make()->info().max_length, 64);
  EXPECT_EQ(open_packed({.precision = Precision::kFast})->make()->info().max_length, 64);
}

TEST_F(OpenPackedModel, WhatItIsNotForIsRefused) {
  EXPECT_FAILS(open_packed({.backend = Backend::kTorch}), ConfigError,
               "backend torch: " + packed +
                   " is a packed model, which only the engine on a CPU can use; leave it "
                   "out, or give the bundle from which the packed model was made");
  EXPECT_FAILS(open_packed({.device = "cuda"}), ConfigError, "device cuda: " + packed + " is a packed model");
  EXPECT_FAILS(open_packed({.precision = Precision::kF32}), ConfigError,
               "precision f32: " + packed + " is packed in int8; leave precision out, or give the bundle");
}

TEST_F(OpenPackedModel, OfAModelThatTheEngineDoesNotSupportIsRefused) {
  model::LoadedModel loaded = model::read_model(packed);
  loaded.package.config.architecture = std::make_shared<architecture::RnnArchitecture>();
  EXPECT_FAILS(open_scorers(std::move(loaded), {}), ModelError,
               "config.json: expected a model that the engine supports, found the family 'rnn'");
}

}  // namespace
}  // namespace ventris::translation
