#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace ventris::core {

/// Parses JSON text with // and /* */ comments allowed; at most 64 levels deep, no key twice in an object. `where` (a
/// file name) starts each message. Throws ConfigError, for bad syntax with line and column.
nlohmann::json parse_json(const std::string& text, const std::string& where);

/// Reads a file and parses it as above. Throws ConfigError, saying why, if it cannot be read.
nlohmann::json read_json_file(const std::string& path);

/// How an enumeration is written as text, value by value: {"relu", kRelu}, ...
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

/// One JSON object being read into a struct. Remembers which keys were asked for, so that finish() can refuse the rest:
/// a misspelt setting is an error that names its path and the nearest known name. All errors are ConfigError.
class JsonReader {
 public:
  /// `path` names the object in messages ("training.optimizer", or "" for the whole file).
  JsonReader(const nlohmann::json& json, std::string path);

  /// Takes the value if the key is there; a wrong type throws.
  /// T: bool, int64_t, uint64_t, int, double, std::string, std::vector<std::string>.
  template <typename T>
  void optional(const std::string& key, T& value);

  /// The same for a key that must be there.
  template <typename T>
  void required(const std::string& key, T& value);

  template <typename E>
  void choice(const std::string& key, E& value, const Choices<E>& choices) {
    std::vector<std::string> names;
    for (const auto& [name, unused] : choices) names.push_back(name);
    const int64_t index = choice_index(key, names);
    if (index >= 0) value = choices[static_cast<size_t>(index)].second;
  }

  /// The object under this key, or an empty object if it is missing.
  JsonReader section(const std::string& key);

  /// The objects of the array under this key; none if it is missing. They are named "key[0]" and so on.
  std::vector<JsonReader> sections(const std::string& key);

  /// "path.key", for messages about a value that was read but makes no sense.
  std::string path_of(const std::string& key) const;

  const std::string& path() const { return path_; }
  bool has(const std::string& key) const;

  /// Throws for any key of the object that was never asked for.
  void finish() const;

 private:
  int64_t choice_index(const std::string& key, const std::vector<std::string>& names);
  const nlohmann::json* find(const std::string& key);

  const nlohmann::json* json_;
  std::string path_;
  std::vector<std::string> known_;
};

}  // namespace ventris::core
