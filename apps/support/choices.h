#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "core/suggest.h"

namespace ventris::apps {

/// The words that devices begin with, which flags offer.
inline const std::vector<std::string> kDevices{"cpu", "cuda"};

/// The name of a validator that lists these words; choices_of() in command_summary.cpp reads them back from it.
inline std::string choices_name(const std::vector<std::string>& words) {
  std::string name = "choices";
  for (const std::string& word : words) name += ' ' + word;
  return name;
}

/// The name of a validator whose flag sets this setting, a JSON pointer; settings_of() reads it back.
inline std::string setting_name(const std::string& pointer) { return "setting " + pointer; }

/// A validator that accepts only these words. Its message suggests the nearest one.
inline CLI::Validator one_of(const std::vector<std::string>& words) {
  const auto check = [words](const std::string& value) {
    if (std::find(words.begin(), words.end(), value) != words.end()) return std::string();
    std::string list;
    for (const std::string& word : words) list += (list.empty() ? "" : ", ") + word;
    return "expected one of " + list + "; got '" + value + "'" + core::did_you_mean(value, words);
  };
  return {check, "", choices_name(words)};
}

/// A validator that accepts everything and lists these words for completion; the program checks the value itself.
inline CLI::Validator offers(const std::vector<std::string>& words) {
  return {[](const std::string&) { return std::string(); }, "", choices_name(words)};
}

/// Says which setting the flag sets, a JSON pointer, for the page of all settings; checks nothing.
inline CLI::Validator sets(const std::string& pointer) {
  return {[](const std::string&) { return std::string(); }, "", setting_name(pointer)};
}

}  // namespace ventris::apps
