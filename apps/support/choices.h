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

/// The name of a validator whose flag sets this setting, a JSON pointer; settings_of() reads it back.
inline std::string setting_name(const std::string& pointer) { return "setting " + pointer; }

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

/// Says which setting the flag sets, a JSON pointer, for the page of all settings; checks nothing.
inline CLI::Validator sets(const std::string& pointer) {
  return {[](const std::string&) { return std::string(); }, "", setting_name(pointer)};
}

}  // namespace ventris::apps
