#include "serving/deepl.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <string_view>

namespace ventris::serving {
namespace {

using nlohmann::ordered_json;

std::string in_capitals(std::string code) {
  std::ranges::transform(code, code.begin(), [](unsigned char c) { return std::toupper(c); });
  return code;
}

/// Clients send parts of documents, and XML has one element around all.
constexpr std::string_view kOpen = "<t>", kClose = "</t>";

bool is_wrapped(const std::string& text) { return text.starts_with(kOpen) && text.ends_with(kClose); }

std::string wrapped(const std::string& text) {
  const bool document = text.starts_with("<?xml") || text.starts_with("<!DOCTYPE");
  return document ? text : std::string(kOpen) + text + std::string(kClose);
}

std::string unwrapped(const std::string& text) {
  return is_wrapped(text) ? text.substr(kOpen.size(), text.size() - kOpen.size() - kClose.size()) : text;
}

}  // namespace

TranslationRequest parse_deepl_request(const Arguments& arguments, const ServeLimits& limits) {
  TranslationRequest request;
  request.texts = arguments.required_texts("text", request.several);
  request.source = arguments.text("source_lang");
  if (request.source.empty()) request.source = "auto";
  request.target = arguments.required_text("target_lang");
  if (const std::string context = arguments.text("context"); !context.empty()) request.context = {context};
  const std::string tags = arguments.text("tag_handling");
  if (!tags.empty() && tags != "html" && tags != "xml") {
    throw RequestError(400, "Invalid request: tag_handling parameter must be html or xml");
  }
  request.kind.markup = tags == "html"  ? markup::Markup::kHtml
                        : tags == "xml" ? markup::Markup::kXml
                                        : markup::Markup::kNone;
  request.kind.search.links = !tags.empty();
  check(request, limits);
  if (tags == "xml") std::ranges::transform(request.texts, request.texts.begin(), wrapped);
  return request;
}

ordered_json deepl_answer(const TranslationRequest& request, const WorkResult& result) {
  ordered_json translations = ordered_json::array();
  const auto plain = [&](const std::string& text) {
    return request.kind.markup == markup::Markup::kXml ? unwrapped(text) : text;
  };
  for (size_t i = 0; i < result.answers.size(); ++i) {
    translations.push_back({{"detected_source_language", in_capitals(request.source)},
                            {"text", plain(result.answers[i].front().translation.text())},
                            {"billed_characters", characters_of(plain(request.texts[i]))}});
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
