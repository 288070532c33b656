#include "model/language_tokens.h"

#include <nlohmann/json.hpp>

#include "core/error.h"

namespace ventris::model {

using core::JsonReader;

namespace {

constexpr size_t kMostMarks = 8;     // pieces in a list

/// Calls visit(key, list) for the lists of a language.
template <typename Tokens, typename Visit>
void each_list(Tokens& tokens, const Visit& visit) {
  visit("source_prefix", tokens.source_prefix);
  visit("source_suffix", tokens.source_suffix);
  visit("to_prefix", tokens.to_prefix);
  visit("target_prefix", tokens.target_prefix);
}

LanguageTokens read_language(JsonReader reader) {
  LanguageTokens tokens;
  each_list(tokens, [&](const char* key, std::vector<std::string>& pieces) {
    reader.optional(key, pieces);
    if (pieces.size() <= kMostMarks) return;
    fail<ConfigError>(reader.path_of(key), ": expected at most ", kMostMarks, " pieces, got ", pieces.size());
  });
  reader.finish();
  return tokens;
}

}  // namespace

LanguageMap read_languages(JsonReader reader) {
  LanguageMap languages;
  for (const std::string& name : reader.keys()) {
    if (name.empty() || name.size() > kLongestLanguage) {
      fail<ConfigError>(reader.path_of(name), ": expected the name of a language, with 1 to ", kLongestLanguage,
                        " bytes");
    }
    languages[name] = read_language(reader.section(name));
  }
  reader.finish();
  return languages;
}

nlohmann::json to_json(const LanguageMap& languages) {
  nlohmann::json out = nlohmann::json::object();
  for (const auto& [name, tokens] : languages) {
    nlohmann::json& lists = out[name] = nlohmann::json::object();
    each_list(tokens, [&](const char* key, const std::vector<std::string>& pieces) {
      if (!pieces.empty()) lists[key] = pieces;
    });
  }
  return out;
}

}  // namespace ventris::model
