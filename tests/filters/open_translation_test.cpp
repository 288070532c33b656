#include "filters/open_translation.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "support/copy_model.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::filters {
namespace {

class OpenTranslation : public testing::Test {
 protected:
  test::TempFolder folder;
  std::string bundle = test::write_copying_bundle(folder.path("bundle"));
};

TEST_F(OpenTranslation, HasTheModelsOwnValuesAndWhatComputesIt) {
  const OpenedTranslation opened = open_translation({{"model", bundle}, {"n_best", 2}});
  EXPECT_EQ(opened.settings.translator.search.beam_size, 2);  // of the bundle
  EXPECT_EQ(opened.settings.translator.search.n_best, 2);
  EXPECT_EQ(opened.package.path, bundle);
  EXPECT_EQ(opened.load()->make()->info().max_length, 64);
}

TEST_F(OpenTranslation, AnEnsembleHasTheGuidedAttentionThatAllItsModelsHave) {
  model::Package package = test::copying_package();
  package.config.guided_attention = {.layer = 1, .head = 2};
  const std::string guided = test::write_zero_bundle(folder.path("guided"), package);
  const auto of = [](const nlohmann::json& models) {
    return open_translation({{"model", models}}).package.config.guided_attention;
  };
  EXPECT_EQ(of(guided), package.config.guided_attention);
  EXPECT_EQ(of({guided, guided}), package.config.guided_attention);
  EXPECT_EQ(of({guided, bundle}), model::GuidedAttention());
  EXPECT_EQ(of({bundle, guided}), model::GuidedAttention());
}

TEST_F(OpenTranslation, FindsMistakesInSettingsBeforeTheModelIsRead) {
  EXPECT_FAILS(open_translation({{"model", folder.path("none")}, {"threads", 0}}), ConfigError, "threads");
  EXPECT_FAILS(open_translation({{"model", folder.path("none")}}), ModelError, "none");
  EXPECT_FAILS(open_translation({{"threads", 1}}), ConfigError, "the model is missing");
  EXPECT_FAILS(open_translation({{"model", bundle}, {"n_best", 3}}), ConfigError, "n_best");  // the model's beam is 2
  EXPECT_EQ(check_settings({{"n_best", 3}}).translator.search.n_best, 3);
}

TEST_F(OpenTranslation, TheOptionsOfATranslatorHaveTheTerms) {
  TranslateSettings settings;
  EXPECT_EQ(options_of(settings).terms, nullptr);
  settings.terms = folder.file("terms", "bread\tumbrella\n");
  settings.document.placeholders = "builtin";
  const translation::TranslatorOptions options = options_of(settings);
  EXPECT_EQ(options.terms->size(), 1U);
  EXPECT_TRUE(options.finish.alignment);
  settings.terms = folder.path("none");
  EXPECT_FAILS(options_of(settings), DataError, "none: cannot be read");
}

}  // namespace
}  // namespace ventris::filters
