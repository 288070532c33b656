#include "serving/catalogue.h"

#include "core/error.h"
#include "support/copying_models.h"
#include "support/errors.h"

namespace ventris::serving {
namespace {

class CatalogueTest : public CopyingModels {};

TEST_F(CatalogueTest, AModelIsOpenedOnceHoweverManyPairsItHas) {
  const Catalogue catalogue(settings_of({"en-de", "de-en", "de-fr"}, {{"pivots", true}}));
  EXPECT_EQ(catalogue.models(), 1U);
  const auto direct = catalogue.route("en", "de"), pivot = catalogue.route("en", "fr");
  ASSERT_EQ(direct.size(), 1U);
  ASSERT_EQ(pivot.size(), 2U);
  EXPECT_EQ(direct.front().model, pivot.back().model);
  EXPECT_EQ(pivot.front().target_code, "de");
  EXPECT_TRUE(catalogue.route("fr", "de").empty());
}

TEST_F(CatalogueTest, AModelOfOnePairIsNotToldItsLanguages) {
  const Catalogue catalogue(settings_of({"en-de"}));
  EXPECT_EQ(catalogue.route("en", "de").front().source, "");
}

TEST_F(CatalogueTest, AMultilingualModelIsToldWhatItCallsTheLanguages) {
  model::Package package = test::copying_package();
  package.config.tokenizer.languages["eng"].source_prefix = {"e"};
  package.config.tokenizer.languages["deu"].to_prefix = {"n"};
  bundle = test::write_zero_bundle(folder.path("multilingual"), package);
  const Catalogue catalogue(settings_of({"en-de"}, {{"language_name", {"en=eng", "de=deu"}}}));
  EXPECT_EQ(catalogue.route("en", "de").front().source, "eng");
  EXPECT_EQ(catalogue.route("en", "de").front().target, "deu");
  EXPECT_FAILS(Catalogue(settings_of({"en-de"})), ConfigError, "give the model's own names with --language-name");
}

TEST_F(CatalogueTest, AMissingModelIsNamed) {
  ServeSettings settings = settings_of({});
  settings.models = {"en-de=" + folder.path("none")};
  EXPECT_FAILS(Catalogue{settings}, ModelError, "none");
}

}  // namespace
}  // namespace ventris::serving
