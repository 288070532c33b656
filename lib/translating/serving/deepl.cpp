#include "serving/deepl.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

namespace ventris::serving {
namespace {

using nlohmann::ordered_json;

std::string in_capitals(std::string code) {
  std::ranges::transform(code, code.begin(), [](unsigned char c) { return std::toupper(c); });
  return code;
}

}  // namespace

TranslationRequest parse_deepl_request(const Arguments& arguments, const ServeLimits& limits) {
  TranslationRequest request;
  request.texts = arguments.required_texts("text", request.several);
  request.source = arguments.text("source_lang", "auto");
  request.target = arguments.required_text("target_lang");
  const std::string tags = arguments.text("tag_handling");
  if (!tags.empty() && tags != "html" && tags != "xml") {
    throw RequestError(400, "Invalid request: tag_handling parameter must be html or xml");
  }
  request.kind.markup = tags == "html"  ? markup::Markup::kHtml
                        : tags == "xml" ? markup::Markup::kXml
                                        : markup::Markup::kNone;
  request.kind.search.links = !tags.empty();
  check(request, limits);
  return request;
}

ordered_json deepl_answer(const TranslationRequest& request, const WorkResult& result) {
  ordered_json translations = ordered_json::array();
  for (size_t i = 0; i < result.answers.size(); ++i) {
    translations.push_back({{"detected_source_language", in_capitals(request.source)},
                            {"text", result.answers[i].front().translation.text()},
                            {"billed_characters", characters_of(request.texts[i])}});
  }
  return {{"translations", std::move(translations)}};
}

ordered_json deepl_languages(const LanguagePairs& pairs, const std::string& type) {
  if (type != "source" && type != "target") {
    throw RequestError(400, "Invalid request: type parameter must be source or target");
  }
  ordered_json list = ordered_json::array();
  for (const std::string& code : pairs.languages()) {
    const bool served = type == "source" ? !pairs.targets_of(code).empty() : !pairs.sources_of(code).empty();
    if (!served) continue;
    ordered_json language{{"language", in_capitals(code)}, {"name", english_name(code)}};
    if (type == "target") language["supports_formality"] = false;
    list.push_back(std::move(language));
  }
  return list;
}

}  // namespace ventris::serving
