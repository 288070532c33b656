#pragma once
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/json_reader.h"

namespace ventris::model {

/// The pieces that tell a multilingual model one of its languages; empty lists = it is not told this way.
struct LanguageTokens {
  std::vector<std::string> source_prefix = {};  ///< before a source in this language
  std::vector<std::string> source_suffix = {};  ///< after such a source and its eos
  std::vector<std::string> to_prefix = {};      ///< before a source that is translated into this language
  std::vector<std::string> target_prefix = {};  ///< with which the decoder starts a translation into this language

  bool marks_sources() const { return !source_prefix.empty() || !source_suffix.empty(); }
  bool marks_targets() const { return !to_prefix.empty() || !target_prefix.empty(); }
  bool operator==(const LanguageTokens&) const = default;
};

/// Of the name of a language, in bytes.
inline constexpr size_t kLongestLanguage = 40;

/// By language code.
using LanguageMap = std::map<std::string, LanguageTokens>;

/// Reads an object such as {"de": {"to_prefix": [">>deu<<"]}}. Throws ConfigError for an unknown key, a wrong type, a
/// name of more than 40 bytes, or a list of more than 8 pieces.
LanguageMap read_languages(core::JsonReader reader);

/// The same object; empty lists are left out.
nlohmann::json to_json(const LanguageMap& languages);

}  // namespace ventris::model
