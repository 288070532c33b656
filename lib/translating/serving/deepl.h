#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "serving/arguments.h"
#include "serving/language_pairs.h"
#include "serving/translation_request.h"
#include "serving/translation_service.h"

/// The protocol of DeepL, version 2.
namespace ventris::serving {

/// POST /v2/translate. Throws RequestError (400).
TranslationRequest parse_deepl_request(const Arguments& arguments, const ServeLimits& limits);

/// Its answer; codes of languages are in capitals.
nlohmann::ordered_json deepl_answer(const TranslationRequest& request, const WorkResult& result);

/// GET /v2/languages. `type`: source or target. Throws RequestError (400) for another one.
nlohmann::ordered_json deepl_languages(const LanguagePairs& pairs, const std::string& type);

}  // namespace ventris::serving
