#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "serving/arguments.h"
#include "serving/language_pairs.h"
#include "serving/translation_request.h"
#include "serving/translation_service.h"

/// The protocol of Google's Cloud Translation, version 2.
namespace ventris::serving {

/// POST /language/translate/v2. Throws RequestError (400).
TranslationRequest parse_google_request(const Arguments& arguments, const ServeLimits& limits);

/// Its answer.
nlohmann::ordered_json google_answer(const TranslationRequest& request, const WorkResult& result);

/// GET /language/translate/v2/languages. `target`: the language of their names; "" = English.
nlohmann::ordered_json google_languages(const LanguagePairs& pairs, const std::string& target);

/// POST /language/translate/v2/detect: what was detected in each text.
nlohmann::ordered_json google_detections(const std::vector<detection::Detected>& detected);

}  // namespace ventris::serving
