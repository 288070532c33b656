#pragma once
#include <nlohmann/json_fwd.hpp>

#include "serving/arguments.h"
#include "serving/translation_request.h"
#include "serving/translation_service.h"

/// The protocol of /v1/translate, whose fields are those of the JSON lines of ventris-translate.
namespace ventris::serving {

/// Throws RequestError (400) for an unknown parameter, a wrong value, and parameters that exclude each other.
TranslationRequest parse_own_request(const Arguments& arguments, const ServeLimits& limits);

/// Its answer: "source", "target", and "translations" with an object for each text.
nlohmann::ordered_json own_answer(const TranslationRequest& request, const WorkResult& result,
                                  const std::vector<Step>& steps, bool terms);

}  // namespace ventris::serving
