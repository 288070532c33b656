#include "translation/open_model.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "core/error.h"
#include "support/copy_model.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "translation/text_scorer.h"
#include "translation/translator.h"

namespace ventris::translation {
namespace {

class OpenModel : public testing::Test {
 protected:
  void SetUp() override { setenv("VENTRIS_BACKEND", COPYING_BACKEND, 1); }
  void TearDown() override { unsetenv("VENTRIS_BACKEND"); }

  test::TempFolder folder;
};

TEST_F(OpenModel, TranslatesAndScoresWithTheModelOfAFolder) {
  const TranslationModel model = open_model(test::write_copying_bundle(folder.path("bundle")));
  const TranslatorOptions options = suggested_options(model.package.config.decoding);
  EXPECT_EQ(options.search.beam_size, 2) << "what the bundle says";
  const Translator translator(model.package, model.scorers, options);
  EXPECT_EQ(translator.translate({"The driver likes bread.", ""}).front().text(), "The driver likes bread.");
  const TextScorer scorer(model.package, *model.scorers, {});
  EXPECT_LT(scorer.score({{"bread", "bread"}}).front().log_prob, 0);
}

TEST_F(OpenModel, WhatIsNotThereIsNamed) {
  EXPECT_FAILS(open_model(folder.path("none")), ModelError, folder.path("none"));
  const std::string bundle = test::write_copying_bundle(folder.path("bundle"));
  EXPECT_FAILS(open_model(bundle, {.device = "cuda"}), ConfigError, "device cuda");
  setenv("VENTRIS_BACKEND", folder.path("none.so").c_str(), 1);
  EXPECT_FAILS(open_model(bundle), ConfigError, "none.so");
}

}  // namespace
}  // namespace ventris::translation
