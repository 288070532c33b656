#include "core/json_reader.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.h"
#include "core/json_problem.h"
#include "core/json_shape.h"
#include "core/suggest.h"
#include "core/utf8.h"

namespace ventris::core {
namespace {

const nlohmann::json& empty_object() {
  static const nlohmann::json empty = nlohmann::json::object();
  return empty;
}

template <typename T>
constexpr const char* type_name();
template <>
constexpr const char* type_name<bool>() {
  return "true or false";
}
template <>
constexpr const char* type_name<int64_t>() {
  return "a whole number";
}
template <>
constexpr const char* type_name<uint64_t>() {
  return "a whole number from 0 to 18446744073709551615";
}
template <>
constexpr const char* type_name<int>() {
  return "a whole number";
}
template <>
constexpr const char* type_name<double>() {
  return "a number";
}
template <>
constexpr const char* type_name<std::string>() {
  return "a text";
}
template <>
constexpr const char* type_name<std::vector<std::string>>() {
  return "a list of texts";
}
template <>
constexpr const char* type_name<std::vector<double>>() {
  return "a list of numbers";
}

template <typename T>
bool has_type(const nlohmann::json& json) {
  if constexpr (std::is_same_v<T, bool>) return json.is_boolean();
  if constexpr (std::is_same_v<T, int64_t> || std::is_same_v<T, uint64_t> || std::is_same_v<T, int>) {
    if (json.is_number_unsigned()) return std::in_range<T>(json.get<uint64_t>());
    return json.is_number_integer() && std::in_range<T>(json.get<int64_t>());
  }
  if constexpr (std::is_same_v<T, double>) return json.is_number();
  if constexpr (std::is_same_v<T, std::string>) return json.is_string();
  if constexpr (std::is_same_v<T, std::vector<std::string>>) {
    return json.is_array() && std::all_of(json.begin(), json.end(), [](const auto& item) { return item.is_string(); });
  }
  if constexpr (std::is_same_v<T, std::vector<double>>) {
    return json.is_array() && std::all_of(json.begin(), json.end(), [](const auto& item) { return item.is_number(); });
  }
}

std::string shown(const nlohmann::json& json) {
  const std::string text = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return text.size() > 60 ? std::string(cut_utf8(text, 57)) + "..." : text;
}

/// The beginning of a message or a key, which may have a part of the text, however long that is.
std::string_view beginning(std::string_view text) { return cut_utf8(text, 300); }

}  // namespace

nlohmann::json parse_json(const std::string& text, const std::string& where) {
  if (text.size() > kMostJsonBytes) {
    fail<ConfigError>(where, ": expected at most ", kMostJsonBytes, " bytes of JSON, found ", text.size());
  }
  const JsonShape shape = shape_of_json(text, kMostJsonLevels);
  if (shape.too_deep) fail<ConfigError>(where, ": nested deeper than ", kMostJsonLevels, " levels");
  if (shape.too_many) fail<ConfigError>(where, ": expected at most ", kMostJsonValues, " keys and values in all");
  if (shape.zero_byte) fail<ConfigError>(where, ": not valid JSON: byte ", *shape.zero_byte + 1, " is 0");
  if (shape.valid && shape.repeated_key) {
    fail<ConfigError>(where, ": '", beginning(*shape.repeated_key),
                      "' occurs twice in one object; keep one of the two");
  }
  try {
    return nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/true, /*ignore_comments=*/true);
  } catch (const nlohmann::json::parse_error& error) {
    const size_t offset = std::min(error.byte == 0 ? 0 : error.byte - 1, text.size());
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
    const size_t line_start = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
    fail<ConfigError>(where, ":", line, ":", offset - line_start + 1,
                      ": not valid JSON: ", beginning(json_problem(error)));
  } catch (const nlohmann::json::exception& error) {  // a number beyond what fits
    fail<ConfigError>(where, ": cannot be used: ", beginning(json_problem(error)));
  }
}

UnknownSetting::UnknownSetting(std::string its_path, const std::string& suggestion)
    : ConfigError(its_path + ": unknown setting" + suggestion), path(std::move(its_path)) {}

JsonReader::JsonReader(const nlohmann::json& json, std::string path) : json_(&json), path_(std::move(path)) {
  if (!json.is_object()) {
    fail<ConfigError>(path_.empty() ? "settings" : path_, ": expected an object {...}, got ", shown(json));
  }
}

const nlohmann::json* JsonReader::find(const std::string& key) {
  known_.push_back(key);
  const auto found = json_->find(key);
  return found == json_->end() ? nullptr : &*found;
}

bool JsonReader::has(const std::string& key) const { return json_->contains(key); }

std::vector<std::string> JsonReader::keys() const {
  std::vector<std::string> all;
  for (const auto& [key, value] : json_->items()) all.push_back(key);
  return all;
}

bool JsonReader::has_whole_number(const std::string& key) const {
  const auto found = json_->find(key);
  return found != json_->end() && found->is_number_integer();
}

std::string JsonReader::path_of(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }

template <typename T>
void JsonReader::optional(const std::string& key, T& value) {
  const nlohmann::json* found = find(key);
  if (found == nullptr) return;
  if constexpr (std::is_same_v<T, int> || std::is_same_v<T, int64_t>) {
    if (found->is_number_integer() && !has_type<T>(*found)) {
      fail<ConfigError>(path_of(key), ": ", shown(*found), " is out of range; expected a whole number from ",
                        std::numeric_limits<T>::min(), " to ", std::numeric_limits<T>::max());
    }
  }
  if (!has_type<T>(*found)) fail<ConfigError>(path_of(key), ": expected ", type_name<T>(), ", got ", shown(*found));
  value = found->get<T>();
}

template <typename T>
void JsonReader::required(const std::string& key, T& value) {
  if (!json_->contains(key)) fail<ConfigError>(path_of(key), ": missing (expected ", type_name<T>(), ")");
  optional(key, value);
}

JsonReader JsonReader::section(const std::string& key) {
  const nlohmann::json* found = find(key);
  return JsonReader(found == nullptr ? empty_object() : *found, path_of(key));
}

std::vector<JsonReader> JsonReader::sections(const std::string& key) {
  const nlohmann::json* found = find(key);
  std::vector<JsonReader> readers;
  if (found == nullptr) return readers;
  if (!found->is_array()) fail<ConfigError>(path_of(key), ": expected a list of objects, got ", shown(*found));
  for (size_t i = 0; i < found->size(); ++i)
    readers.emplace_back((*found)[i], path_of(key) + "[" + std::to_string(i) + "]");
  return readers;
}

int64_t JsonReader::choice_index(const std::string& key, const std::vector<std::string>& names) {
  if (!json_->contains(key)) {
    known_.push_back(key);
    return -1;
  }
  std::string word;
  optional(key, word);
  const auto found = std::find(names.begin(), names.end(), word);
  if (found != names.end()) return found - names.begin();
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  fail<ConfigError>(path_of(key), ": expected one of ", list, "; got '", beginning(word), "'",
                    did_you_mean(word, names));
}

void JsonReader::finish() const {
  for (const auto& item : json_->items()) {
    if (std::find(known_.begin(), known_.end(), item.key()) == known_.end()) {
      throw UnknownSetting(path_of(std::string(beginning(item.key()))), did_you_mean(item.key(), known_));
    }
  }
}

#define VENTRIS_JSON_TYPE(T)                                     \
  template void JsonReader::optional<T>(const std::string&, T&); \
  template void JsonReader::required<T>(const std::string&, T&)
VENTRIS_JSON_TYPE(bool);
VENTRIS_JSON_TYPE(int64_t);
VENTRIS_JSON_TYPE(uint64_t);
VENTRIS_JSON_TYPE(int);
VENTRIS_JSON_TYPE(double);
VENTRIS_JSON_TYPE(std::string);
VENTRIS_JSON_TYPE(std::vector<std::string>);
VENTRIS_JSON_TYPE(std::vector<double>);
#undef VENTRIS_JSON_TYPE

}  // namespace ventris::core
