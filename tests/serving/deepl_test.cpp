#include "serving/deepl.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "protocol_results.h"
#include "support/errors.h"

namespace ventris::serving {
namespace {

using nlohmann::json;
using testing::ElementsAre;

TEST(DeepL, AnEmptySourceIsDetected) {
  EXPECT_EQ(parse_deepl_request(arguments_of({{"text", "a"}, {"target_lang", "DE"}}), {}).source, "auto");
  const json body{{"text", {"a"}}, {"target_lang", "DE"}, {"source_lang", "EN"}};
  EXPECT_EQ(parse_deepl_request(arguments_of(body), {}).source, "EN");
}

TEST(DeepL, PartsOfXmlGetAnElementAroundThemAndLoseItAgain) {
  const json body{{"text", {"a <b/>", "<?xml version='1.0'?><a/>"}}, {"target_lang", "DE"}, {"tag_handling", "xml"}};
  const TranslationRequest request = parse_deepl_request(arguments_of(body), {});
  EXPECT_THAT(request.texts, ElementsAre("<t>a <b/></t>", "<?xml version='1.0'?><a/>"));
  const json translations = deepl_answer(request, found({{"<t>x <b/></t>"}, {"<a/>"}})).at("translations");
  EXPECT_EQ(translations.at(0).at("text"), "x <b/>");
  EXPECT_EQ(translations.at(0).at("billed_characters"), 6);
  EXPECT_EQ(translations.at(1).at("text"), "<a/>");
}

TEST(DeepL, CodesOfLanguagesAreInCapitals) {
  TranslationRequest request;
  request.texts = {"a"};
  request.source = "pt-BR";
  EXPECT_EQ(deepl_answer(request, found({{"b"}})).at("translations").at(0).at("detected_source_language"), "PT-BR");
}

TEST(DeepL, SourcesAndTargetsAreLanguagesThatHaveAModel) {
  const LanguagePairs pairs({{"en", "de", "m"}, {"fr", "de", "n"}}, false);
  EXPECT_EQ(deepl_languages(pairs, "source").size(), 2U);
  const json targets = deepl_languages(pairs, "target");
  ASSERT_EQ(targets.size(), 1U);
  EXPECT_EQ(targets.at(0), json({{"language", "DE"}, {"name", "German"}, {"supports_formality", false}}));
  EXPECT_FAILS(deepl_languages(pairs, "both"), RequestError, "type parameter must be source or target");
}

}  // namespace
}  // namespace ventris::serving
