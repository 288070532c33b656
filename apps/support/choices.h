#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "core/suggest.h"

namespace ventris::apps {

/// The name of a validator whose flag takes one of these words; choices_of() reads it back.
inline std::string choices_name(const std::vector<std::string>& words) {
  std::string name = "choices";
  for (const std::string& word : words) name += ' ' + word;
  return name;
}

/// Refuses all but these words, with the nearest of them in the message.
inline CLI::Validator one_of(const std::vector<std::string>& words) {
  const auto check = [words](const std::string& value) {
    if (std::find(words.begin(), words.end(), value) != words.end()) return std::string();
    std::string list;
    for (const std::string& word : words) list += (list.empty() ? "" : ", ") + word;
    return "expected one of " + list + "; got '" + value + "'" + core::did_you_mean(value, words);
  };
  return {check, "", choices_name(words)};
}

/// Names such words for completion; the program checks the value itself, or takes others too.
inline CLI::Validator offers(const std::vector<std::string>& words) {
  return {[](const std::string&) { return std::string(); }, "", choices_name(words)};
}

}  // namespace ventris::apps
