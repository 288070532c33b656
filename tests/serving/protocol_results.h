#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "serving/arguments.h"
#include "serving/translation_service.h"

namespace ventris::serving {

inline Arguments arguments_of(const nlohmann::json& body) {
  return Arguments({.method = "POST", .content_type = "application/json", .body = body.dump()});
}

/// What a service might find: the candidates of each text.
inline WorkResult found(const std::vector<std::vector<std::string>>& texts) {
  WorkResult result;
  for (const auto& candidates : texts) {
    auto& answers = result.answers.emplace_back();
    for (const std::string& text : candidates) {
      translation::Translation translation;
      translation.candidates.push_back({.text = text, .log_prob = -1, .score = -0.5, .tokens = 2});
      answers.push_back({.translation = translation, .findings = {}, .segments = 1});
    }
  }
  return result;
}

}  // namespace ventris::serving
