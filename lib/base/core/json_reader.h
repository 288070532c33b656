#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"

namespace ventris::core {

/// Parses JSON text, which may have // and /* */ comments, but no repeated key in an object. It has at most 64 MiB, 64
/// levels, and 2,000,000 keys and values in all (core/json_shape.h); this is checked before memory is allocated for
/// them. Messages begin with `where` (a file name). Throws ConfigError; for bad syntax, it names line and column.
nlohmann::json parse_json(const std::string& text, const std::string& where);

/// The names of the values of an enumeration: {"relu", kRelu}, ...
template <typename E>
using Choices = std::vector<std::pair<std::string, E>>;

/// The name of a value; empty if it has none.
template <typename E>
std::string name_of(E value, const Choices<E>& choices) {
  for (const auto& [name, choice] : choices) {
    if (choice == value) return name;
  }
  return "";
}

/// All names, in their order.
template <typename E>
std::vector<std::string> names_of(const Choices<E>& choices) {
  std::vector<std::string> names;
  for (const auto& [name, unused] : choices) names.push_back(name);
  return names;
}

/// A key that no setting has. A caller that knows more settings than those of the same object can suggest one of them.
struct UnknownSetting : ConfigError {
  UnknownSetting(std::string its_path, const std::string& suggestion);

  std::string path;  ///< of the key: "training.learning_rate"
};

/// Reads one JSON object into a struct. It remembers which keys were requested, so that finish() can refuse all others:
/// a misspelt setting is an error that names its path and the nearest known name. All errors are ConfigError.
class JsonReader {
 public:
  /// `path` names the object in messages ("training.optimizer", or "" for the whole file).
  JsonReader(const nlohmann::json& json, std::string path);

  /// Sets `value` if the key exists. Throws for a wrong type.
  /// T: bool, int64_t, uint64_t, int, double, std::string, std::vector of std::string or double.
  template <typename T>
  void optional(const std::string& key, T& value);

  /// The same, but throws if the key is missing.
  template <typename T>
  void required(const std::string& key, T& value);

  template <typename E>
  void choice(const std::string& key, E& value, const Choices<E>& choices) {
    const int64_t index = choice_index(key, names_of(choices));
    if (index >= 0) value = choices[static_cast<size_t>(index)].second;
  }

  /// The object under this key, or an empty object if it is missing.
  JsonReader section(const std::string& key);

  /// The objects of the array under this key; empty if it is missing. Messages name them "key[0]" and so on.
  std::vector<JsonReader> sections(const std::string& key);

  /// "path.key", for messages about a value of the right type that is not allowed.
  std::string path_of(const std::string& key) const;

  const std::string& path() const { return path_; }
  bool has(const std::string& key) const;
  /// All keys of the object, sorted.
  std::vector<std::string> keys() const;

  /// Whether the key exists and its value is a whole number, for settings that may be a number or a text.
  bool has_whole_number(const std::string& key) const;

  /// Throws if the object has a key that was never requested.
  void finish() const;

 private:
  int64_t choice_index(const std::string& key, const std::vector<std::string>& names);
  const nlohmann::json* find(const std::string& key);

  const nlohmann::json* json_;
  std::string path_;
  std::vector<std::string> known_;
};

}  // namespace ventris::core
