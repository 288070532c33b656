#include "serving/google.h"

#include <gtest/gtest.h>

#include "protocol_results.h"
#include "support/errors.h"

namespace ventris::serving {
namespace {

using nlohmann::json;

TEST(Google, TextsAreHtmlUnlessTheFormatSaysOtherwise) {
  json body{{"q", "a"}, {"target", "de"}};
  EXPECT_EQ(parse_google_request(arguments_of(body), {}).kind.markup, markup::Markup::kHtml);
  body["format"] = "text";
  EXPECT_EQ(parse_google_request(arguments_of(body), {}).kind.markup, markup::Markup::kNone);
  body["format"] = "pdf";
  EXPECT_FAILS(parse_google_request(arguments_of(body), {}), RequestError, "format parameter must be text or html");
}

TEST(Google, OnlyADetectedSourceIsNamed) {
  TranslationRequest request;
  request.source = "en";
  const json answer = google_answer(request, found({{"a"}, {"b"}}));
  EXPECT_EQ(answer, json({{"data", {{"translations", {{{"translatedText", "a"}}, {{"translatedText", "b"}}}}}}}));
  request.detected = detection::Detected{"en", 90};
  EXPECT_EQ(google_answer(request, found({{"a"}})).at("data").at("translations").at(0).at("detectedSourceLanguage"),
            "en");
}

TEST(Google, LanguagesAreNamedInTheLanguageThatIsAskedFor) {
  const LanguagePairs pairs({{"en", "de", "m"}, {"de", "fr", "n"}}, false);
  const auto languages = [&](const char* target) -> json {
    return google_languages(pairs, target).at("data").at("languages");
  };
  EXPECT_EQ(languages("").size(), 3U);
  EXPECT_EQ(languages("").at(0), json({{"language", "de"}, {"name", "German"}}));
  EXPECT_EQ(languages("de").at(0), json({{"language", "de"}, {"name", "Deutsch"}}));
  EXPECT_EQ(languages("a\nb").at(0), json({{"language", "de"}, {"name", "German"}}));
}

TEST(Google, ADetectionIsReliableFromHalfOfTheText) {
  const json detections = google_detections({{"en", 50}, {"de", 49}}).at("data").at("detections");
  EXPECT_EQ(detections.at(0).at(0), json({{"language", "en"}, {"confidence", 0.5}, {"isReliable", true}}));
  EXPECT_FALSE(detections.at(1).at(0).at("isReliable"));
}

}  // namespace
}  // namespace ventris::serving
