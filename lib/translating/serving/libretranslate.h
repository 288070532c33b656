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

/// What a server offers besides translating.
struct LibreOffers {
  bool keys = false;         ///< a key is needed
  bool suggestions = false;  ///< better translations are stored
};

/// GET /frontend/settings.
nlohmann::ordered_json libre_settings(const LanguagePairs& pairs, const ServeLimits& limits, const LibreOffers& offers);

/// A better translation that a user suggests.
struct Suggestion {
  std::string text, translation, source, target;
};

/// POST /suggest. Throws RequestError (400).
Suggestion parse_libre_suggestion(const Arguments& arguments, const ServeLimits& limits);

/// As it is stored: one line without its line end. `key`: the name of the user's key, or empty. `time`: seconds since
/// 1970.
std::string to_json_line(const Suggestion& suggestion, const std::string& key, double time);

/// POST /detect.
nlohmann::ordered_json detected_json(const detection::Detected& detected);

}  // namespace ventris::serving
