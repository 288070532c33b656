#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "serving/arguments.h"
#include "serving/catalogue.h"
#include "serving/translation_request.h"
#include "serving/translation_service.h"

/// The protocol of LibreTranslate. The sentences of errors are its own where clients read them.
namespace ventris::serving {

/// POST /translate. Throws RequestError (400).
TranslationRequest parse_libre_request(const Arguments& arguments, const ServeLimits& limits);

/// Its answer.
nlohmann::ordered_json libre_answer(const TranslationRequest& request, const WorkResult& result, bool alternatives);

/// GET /languages. A language that is reached through another one is also in "via".
nlohmann::ordered_json libre_languages(const LanguagePairs& pairs);

/// POST /translate_file: the same as a request for one text, the content of the file. Throws RequestError (400).
TranslationRequest parse_libre_file(const Fields& fields, std::string content, const std::string& name,
                                    const ServeLimits& limits);

/// GET /frontend/settings.
nlohmann::ordered_json libre_settings(const LanguagePairs& pairs, const ServeLimits& limits, bool keys);

/// POST /detect.
nlohmann::ordered_json detected_json(const detection::Detected& detected);

}  // namespace ventris::serving
