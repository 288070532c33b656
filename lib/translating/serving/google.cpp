#include "serving/google.h"

#include <nlohmann/json.hpp>

namespace ventris::serving {

using nlohmann::ordered_json;

TranslationRequest parse_google_request(const Arguments& arguments, const ServeLimits& limits) {
  TranslationRequest request;
  request.texts = arguments.required_texts("q", request.several);
  request.source = arguments.text("source");
  if (request.source.empty()) request.source = "auto";
  request.target = arguments.required_text("target");
  const std::string format = arguments.text("format", "html");
  if (format != "text" && format != "html") {
    throw RequestError(400, "Invalid request: format parameter must be text or html");
  }
  if (format == "html") {
    request.kind.markup = markup::Markup::kHtml;
    request.kind.search.links = true;
  }
  check(request, limits);
  return request;
}

ordered_json google_answer(const TranslationRequest& request, const WorkResult& result) {
  ordered_json translations = ordered_json::array();
  for (const auto& candidates : result.answers) {
    ordered_json translation{{"translatedText", candidates.front().translation.text()}};
    if (request.detected) translation["detectedSourceLanguage"] = request.source;
    translations.push_back(std::move(translation));
  }
  return {{"data", {{"translations", std::move(translations)}}}};
}

ordered_json google_languages(const LanguagePairs& pairs, const std::string& target) {
  ordered_json list = ordered_json::array();
  for (const std::string& code : pairs.languages()) {
    list.push_back({{"language", code}, {"name", name_of_language(code, target.empty() ? "en" : target)}});
  }
  return {{"data", {{"languages", std::move(list)}}}};
}

ordered_json google_detections(const std::vector<detection::Detected>& detected) {
  constexpr int kReliable = 50;  // percent
  ordered_json list = ordered_json::array();
  for (const auto& [language, confidence] : detected) {
    list.push_back(ordered_json::array(
        {{{"language", language}, {"confidence", confidence / 100.0}, {"isReliable", confidence >= kReliable}}}));
  }
  return {{"data", {{"detections", std::move(list)}}}};
}

}  // namespace ventris::serving
