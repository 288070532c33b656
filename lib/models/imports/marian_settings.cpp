#include "imports/marian_settings.h"

#include <charconv>
#include <utility>

#include "core/error.h"
#include "core/utf8.h"
#include "text/valid_utf8.h"

namespace ventris::imports {
namespace {

/// Takes the digits of \xHH, \uHHHH or \UHHHHHHHH.
bool take_code(std::string_view& rest, size_t digits, std::string& value) {
  uint32_t code = 0;
  if (rest.size() < digits) return false;
  const char* const last = rest.data() + digits;
  const auto [end, error] = std::from_chars(rest.data(), last, code, 16);
  if (error != std::errc() || end != last || code > 0x10FFFF) return false;
  value += core::utf8_of(code);
  rest.remove_prefix(digits);
  return true;
}

/// Takes what follows a backslash.
bool take_escape(std::string_view& rest, std::string& value) {
  constexpr std::string_view kNames = "0abtnvfre\"/\\ ", kStandFor("\0\a\b\t\n\v\f\r\x1B\"/\\ ", 13);
  if (rest.empty()) return false;
  const char name = rest.front();
  rest.remove_prefix(1);
  if (name == 'x') return take_code(rest, 2, value);
  if (name == 'u') return take_code(rest, 4, value);
  if (name == 'U') return take_code(rest, 8, value);
  if (name == '_' || name == 'N') {
    value += core::utf8_of(name == '_' ? 0xA0 : 0x85);
    return true;
  }
  if (name == 'L' || name == 'P') {
    value += core::utf8_of(name == 'L' ? 0x2028 : 0x2029);
    return true;
  }
  const size_t found = kNames.find(name);
  if (found == std::string_view::npos) return false;
  value += kStandFor[found];
  return true;
}

/// The text between double quotes, of which the first was taken.
bool double_quoted(std::string_view rest, std::string& value) {
  while (!rest.empty()) {
    const char next = rest.front();
    rest.remove_prefix(1);
    if (next == '"') return rest.empty();
    if (next != '\\') {
      value += next;
    } else if (!take_escape(rest, value)) {
      return false;
    }
  }
  return false;
}

bool single_quoted(std::string_view rest, std::string& value) {
  while (!rest.empty()) {
    const char next = rest.front();
    rest.remove_prefix(1);
    if (next == '\'') {
      if (rest.empty()) return true;
      if (rest.front() != '\'') return false;
      rest.remove_prefix(1);
    }
    value += next;
  }
  return false;
}

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \r") + 1 - begin);
}

}  // namespace

bool read_yaml_scalar(std::string_view text, std::string& value) {
  value.clear();
  if (text.starts_with('"')) return double_quoted(text.substr(1), value);
  if (text.starts_with('\'')) return single_quoted(text.substr(1), value);
  value = text;
  return text.empty() || std::string_view("[]{}&*!|>%@`").find(text.front()) == std::string_view::npos;
}

MarianSettings::MarianSettings(const std::string& yaml, std::string where) : where_(std::move(where)) {
  if (!text::is_valid_utf8(yaml)) fail<ModelError>(where_, ": the settings are not valid UTF-8");
  size_t number = 0;
  for (size_t begin = 0; begin < yaml.size();) {
    const size_t end = std::min(yaml.find('\n', begin), yaml.size());
    const std::string line(yaml.substr(begin, end - begin));
    begin = end + 1;
    ++number;
    const std::string_view content = trimmed(line);
    if (!content.empty() && content.front() != '#') add_line(line, number);
  }
  if (values_.empty()) fail<ModelError>(where_, ": has no settings (special:model.yml)");
}

void MarianSettings::wrong_line(size_t number) const {
  fail<ModelError>(where_, ": the settings (special:model.yml), line ", number,
                   ": expected KEY: VALUE or an item of a list, each key once");
}

void MarianSettings::add_line(const std::string& line, size_t number) {
  if (line.front() == ' ' || line.front() == '-') return add_item(trimmed(line), number);
  const size_t colon = line.find(':');
  if (colon == std::string::npos || (colon + 1 < line.size() && line[colon + 1] != ' ')) wrong_line(number);
  std::string key;
  if (!read_yaml_scalar(std::string_view(line).substr(0, colon), key) || key.empty()) wrong_line(number);
  const auto [place, added] = values_.emplace(key, Value());
  if (!added) wrong_line(number);
  last_ = key;
  const std::string_view value = trimmed(std::string_view(line).substr(colon + 1));
  if (!value.empty()) add_item(value, number);
}

/// An item of a list, a list in brackets, or the value of the last key.
void MarianSettings::add_item(std::string_view line, size_t number) {
  if (last_.empty()) wrong_line(number);
  Value& value = values_[last_];
  const bool item = line.starts_with("- "), brackets = line.starts_with('[') && line.ends_with(']');
  if (!value.texts.empty() && !(item && value.is_list)) wrong_line(number);
  value.is_list = item || brackets;
  std::string_view rest = item ? trimmed(line.substr(2)) : brackets ? line.substr(1, line.size() - 2) : line;
  while (!trimmed(rest).empty()) {
    const size_t end = brackets ? std::min(rest.find(','), rest.size()) : rest.size();
    std::string text;
    if (!read_yaml_scalar(trimmed(rest.substr(0, end)), text)) wrong_line(number);
    value.texts.push_back(text);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

std::vector<std::string> MarianSettings::keys() const {
  std::vector<std::string> keys;
  for (const auto& [key, value] : values_) keys.push_back(key);
  return keys;
}

void MarianSettings::refuse(const std::string& key, const std::string& expected) const {
  std::string found;
  if (const auto value = values_.find(key); value != values_.end()) {
    for (const std::string& text : value->second.texts) found += (found.empty() ? "" : ", ") + text;
  }
  fail<ModelError>(where_, ": setting ", key, ": expected ", expected, ", found '", found, "'");
}

const std::string* MarianSettings::scalar(const std::string& key) const {
  static const std::string kEmpty;
  const auto found = values_.find(key);
  if (found == values_.end()) return nullptr;
  if (found->second.is_list || found->second.texts.size() > 1) refuse(key, "one value");
  return found->second.texts.empty() ? &kEmpty : &found->second.texts.front();
}

std::string MarianSettings::text(const std::string& key, const std::string& missing) const {
  const std::string* value = scalar(key);
  return value == nullptr ? missing : *value;
}

int64_t MarianSettings::integer(const std::string& key, int64_t missing, int64_t least) const {
  constexpr int64_t kMost = 1000000;
  const std::string* value = scalar(key);
  if (value == nullptr) return missing;
  int64_t number = 0;
  const char* const last = value->data() + value->size();
  const auto [end, error] = std::from_chars(value->data(), last, number);
  if (error == std::errc() && end == last && number >= least && number <= kMost) return number;
  refuse(key, "a whole number from " + std::to_string(least));
}

bool MarianSettings::flag(const std::string& key, bool missing) const {
  const std::string value = text(key, missing ? "true" : "false");
  if (value == "true" || value == "false") return value == "true";
  refuse(key, "true or false");
}

std::vector<std::string> MarianSettings::list(const std::string& key) const {
  const auto found = values_.find(key);
  return found == values_.end() ? std::vector<std::string>() : found->second.texts;
}

}  // namespace ventris::imports
