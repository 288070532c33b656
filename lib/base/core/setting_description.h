#pragma once
#include <optional>
#include <string>
#include <vector>

namespace ventris::core {

/// The values that a number may have; an end that is not given is open.
template <typename T>
struct Limits {
  std::optional<T> least = {};  ///< this or more
  std::optional<T> over = {};   ///< more than this
  std::optional<T> most = {};   ///< this or less
  std::optional<T> under = {};  ///< less than this
};

/// What docs/settings.md says of a setting. Its source is the function that reads the setting (core/fields.h).
struct SettingDescription {
  std::string path;  ///< as in messages: "training.optimizer.beta1"; of each object of a list "data.corpora[].tag"
  std::string type;  ///< "whole number"
  Limits<double> limits = {};
  std::vector<std::string> choices = {};  ///< the words that it may be; empty = any value of the type
  std::string fallback = {};              ///< the default as JSON; empty = there is none
  std::string meaning = {};               ///< in one or two sentences; empty = what the help of its flag says
  std::string on_resume = {};  ///< whether it may change while a run is stopped; empty = it does not belong to a run
};

/// Settings under one heading.
struct SettingsSection {
  std::string title;    ///< "training.optimizer"; empty = no heading
  std::string meaning;  ///< a sentence or two, or empty
  std::vector<SettingDescription> settings = {};
};

}  // namespace ventris::core
