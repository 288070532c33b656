#include "translation/backend_choice.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::translation {
namespace {

TEST(BackendChoice, TheEngineComputesWhatItCanUnlessLibTorchIsAskedFor) {
  EXPECT_EQ(reason_for_libtorch({.backend = Backend::kEngine}, ""), "");
  EXPECT_EQ(reason_for_libtorch({.precision = Precision::kInt8}, ""), "");
  EXPECT_EQ(reason_for_libtorch({.backend = Backend::kTorch}, ""), "backend torch");
  EXPECT_EQ(reason_for_libtorch({}, "the family 'rnn'"), "the family 'rnn'");
}

TEST(BackendChoice, WhatOnlyTheEngineHasIsRefusedWithTheSettingAndTheReason) {
  EXPECT_FAILS(reason_for_libtorch({.backend = Backend::kTorch, .precision = Precision::kBf16}, ""), ConfigError,
               "precision: the backend torch computes only in f32; leave precision out, or use the backend engine");
  EXPECT_FAILS(reason_for_libtorch({.backend = Backend::kEngine}, "the family 'rnn'"), ConfigError,
               "backend engine: the engine cannot run this model: it does not support the family 'rnn'");
  EXPECT_FAILS(reason_for_libtorch({.shortlist = {.lexicon = "lexicon"}}, "the family 'rnn'"), ConfigError,
               "shortlist: the engine cannot run this model");
}

TEST(BackendChoice, APackedModelHasItsPrecision) {
  using arithmetic::Precision::kInt8;
  EXPECT_NO_THROW(check_packed("p", {}, kInt8));
  EXPECT_NO_THROW(check_packed("p", {.precision = Precision::kFast}, kInt8));
  EXPECT_NO_THROW(check_packed("p", {.precision = Precision::kInt8}, kInt8));
  EXPECT_FAILS(check_packed("p", {.precision = Precision::kF32}, kInt8), ConfigError,
               "precision f32: p is packed in int8; leave precision out");
  EXPECT_FAILS(check_packed("p", {.device = "cuda"}, kInt8), ConfigError, "device cuda: p is a packed model");
  EXPECT_FAILS(check_packed("p", {.backend = Backend::kTorch}, kInt8), ConfigError, "backend torch: p is a packed");
}

}  // namespace
}  // namespace ventris::translation
