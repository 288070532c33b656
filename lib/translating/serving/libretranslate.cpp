#include "serving/libretranslate.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/ascii.h"
#include "formats/format_reading.h"
#include "formats/format_table.h"
#include "serving/appended_file.h"
#include "serving/file_store.h"
#include "serving/json_body.h"
#include "text/valid_utf8.h"

namespace ventris::serving {
namespace {

using nlohmann::ordered_json;

constexpr const char* kAuto = "auto";

ordered_json language_json(const std::string& code) {
  if (code == kAuto) return {{"code", kAuto}, {"name", "Auto Detect"}};
  return {{"code", code}, {"name", english_name(code)}};
}

/// Bytes of a zip file's texts when they are unpacked, so that no small file costs much: a document of Word has 5 to 50
/// bytes of XML for each character.
size_t most_unpacked(const ServeLimits& limits) {
  constexpr size_t kOfCharacter = 64, kMebibyte = 1 << 20, kLeast = 4 * kMebibyte;
  const size_t bytes = kOfCharacter * static_cast<size_t>(limits.characters) / kMebibyte * kMebibyte;
  return std::clamp(bytes, kLeast, markup::kLongestDocument);
}

/// Reads a zip file, and its texts. Throws RequestError (400) if it is not one of this kind.
void read_package(const std::string& content, const ServeLimits& limits, TranslationRequest& request) {
  try {
    request.document = std::make_shared<markup::MarkedDocument>(
        formats::read_document(content, request.kind.markup, {}, {.most_unpacked = most_unpacked(limits)}));
  } catch (const markup::MarkupError& error) {
    throw RequestError(400, std::string("Invalid request: the file cannot be read: ") + error.what());
  }
  for (const markup::Block& block : request.document->blocks) request.readable += block.text.text + '\n';
}

}  // namespace

TranslationRequest parse_libre_request(const Arguments& arguments, const ServeLimits& limits) {
  TranslationRequest request;
  request.texts = arguments.required_texts("q", request.several);
  request.source = arguments.required_text("source");
  request.target = arguments.required_text("target");
  const std::string format = arguments.text("format", "text");
  if (format != "text" && format != "html") throw RequestError(400, format + " format is not supported");
  const int64_t alternatives = arguments.number("alternatives", 0);
  if (alternatives > limits.alternatives) {
    throw RequestError(400,
                       "Invalid request: alternatives parameter must be <= " + std::to_string(limits.alternatives));
  }
  if (alternatives < 0) throw RequestError(400, "Invalid request: alternatives parameter must be >= 0");
  if (format == "html") {
    request.kind.markup = markup::Markup::kHtml;
    request.kind.search.links = true;
  } else if (alternatives > 0) {
    request.candidates = alternatives + 1;
    request.kind.search.many = true;
  }
  check(request, limits);
  return request;
}

TranslationRequest parse_libre_file(const Fields& fields, std::string content, const std::string& name,
                                    const ServeLimits& limits) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  const auto field = [&](const char* key) {
    const std::string* const value = find_field(fields, key);
    if (value == nullptr) throw RequestError(400, std::string("Invalid request: missing ") + key + " parameter");
    return *value;
  };
  const formats::FileFormat* const format = formats::format_of_file(name);
  if (format == nullptr || core::in_lower_case(name).ends_with(".gz"))
    throw RequestError(400, "Invalid request: file format not supported");
  TranslationRequest request;
  request.kind.markup = format->markup;
  if (!markup::keeps_bytes(format->markup) && content.starts_with(kByteOrderMark))
    content.erase(0, kByteOrderMark.size());
  if (markup::is_package(format->markup)) {
    read_package(content, limits, request);
  } else {
    check_utf8("file", content);
  }
  request.source = field("source");
  request.target = field("target");
  request.texts = {std::move(content)};
  request.kind.search.links = request.kind.markup != markup::Markup::kNone;
  check(request, limits);
  return request;
}

ordered_json libre_answer(const TranslationRequest& request, const WorkResult& result, bool alternatives) {
  const std::optional<detection::Detected>& detected = request.detected;
  ordered_json texts = ordered_json::array(), others = ordered_json::array(), languages = ordered_json::array();
  for (const auto& candidates : result.answers) {
    texts.push_back(candidates.front().translation.text());
    ordered_json rest = ordered_json::array();
    for (size_t i = 1; i < candidates.size(); ++i) rest.push_back(candidates[i].translation.text());
    others.push_back(std::move(rest));
    if (detected) languages.push_back(detected_json(*detected));
  }
  const auto whole = [&](ordered_json& list) { return request.several ? list : list.at(0); };
  ordered_json answer{{"translatedText", whole(texts)}};
  if (detected) answer["detectedLanguage"] = whole(languages);
  if (alternatives) answer["alternatives"] = whole(others);
  return answer;
}

ordered_json libre_languages(const LanguagePairs& pairs) {
  ordered_json list = ordered_json::array();
  for (const std::string& code : pairs.languages()) {
    ordered_json language = language_json(code), via = ordered_json::object();
    language["targets"] = pairs.targets_of(code);
    for (const std::string& target : pairs.targets_of(code)) {
      const std::vector<size_t> route = pairs.route(code, target);
      if (route.size() > 1) via[target] = pairs.target(route.front());
    }
    if (!via.empty()) language["via"] = std::move(via);
    list.push_back(std::move(language));
  }
  return list;
}

ordered_json libre_settings(const LanguagePairs& pairs, const ServeLimits& limits, const LibreOffers& offers) {
  const std::vector<std::string> sources = pairs.sources();
  const std::string source = sources.size() == 1 ? sources.front() : kAuto;
  const std::string first = sources.empty() ? "" : pairs.targets_of(sources.front()).front();
  return {{"apiKeys", offers.keys},
          {"charLimit", limits.characters},
          {"filesTranslation", limits.files_mib > 0},
          {"frontendTimeout", 500},
          {"keyRequired", offers.keys},
          {"language", {{"source", language_json(source)}, {"target", language_json(first)}}},
          {"suggestions", offers.suggestions},
          {"supportedFilesFormat", limits.files_mib > 0 ? file_endings() : std::vector<std::string>()}};
}

Suggestion parse_libre_suggestion(const Arguments& arguments, const ServeLimits& limits) {
  const Suggestion suggestion{arguments.required_text("q"), arguments.required_text("s"),
                              arguments.required_text("source"), arguments.required_text("target")};
  for (const auto& [name, text] : {std::pair("q", suggestion.text), std::pair("s", suggestion.translation)}) {
    if (text::is_blank(text)) throw RequestError(400, std::string("Invalid request: empty ") + name + " parameter");
  }
  TranslationRequest both;
  both.texts = {suggestion.text, suggestion.translation};
  check(both, limits);
  return suggestion;
}

std::string to_json_line(const Suggestion& suggestion, const std::string& key, double time) {
  ordered_json json{{"time", utc_text(time)}};
  if (!key.empty()) json["key"] = key;
  json["source"] = suggestion.source;
  json["target"] = suggestion.target;
  json["q"] = suggestion.text;
  json["s"] = suggestion.translation;
  return to_body(json);
}

ordered_json detected_json(const detection::Detected& detected) {
  return {{"confidence", static_cast<double>(detected.confidence)}, {"language", detected.language}};
}

}  // namespace ventris::serving
