#include "formats/key_choice.h"

#include <algorithm>
#include <array>

#include "core/ascii.h"

namespace ventris::formats {
namespace {

/// The parts of a text between the signs, without white space around them; empty ones are left out.
std::vector<std::string> split(const std::string& text, char sign) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(sign, begin), text.size());
    std::string part = text.substr(begin, end - begin);
    part.erase(0, std::min(part.find_first_not_of(' '), part.size()));
    part.erase(part.find_last_not_of(' ') + 1);
    if (!part.empty()) parts.push_back(std::move(part));
    begin = end + 1;
  }
  return parts;
}

}  // namespace

KeyChoice::KeyChoice(const std::string& list) {
  for (const std::string& key : split(list, ',')) keys_.push_back({key});
  for (const std::string& key : split(list, ',')) {
    if (key.find('.') != std::string::npos) keys_.push_back(split(key, '.'));
  }
}

bool KeyChoice::has(const std::vector<std::string>& path) const {
  if (keys_.empty()) return true;
  return std::ranges::any_of(keys_, [&](const std::vector<std::string>& key) {
    return !key.empty() && std::search(path.begin(), path.end(), key.begin(), key.end()) != path.end();
  });
}

bool is_code_of_key(const std::vector<std::string>& path, std::string_view value) {
  constexpr std::array<std::string_view, 9> kKeys{"locale",          "lang",           "language",
                                                  "langcode",        "sourcelocale",   "targetlocale",
                                                  "defaultlanguage", "default_locale", "defaultlocale"};
  if (path.empty() || value.empty()) return false;
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_of_name = [&](char c) {
    return is_small(c) || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
  };
  const bool code = (value.size() == 2 || value.size() == 3) && std::ranges::all_of(value, is_small);
  const bool name =
      is_small(value.front()) && std::ranges::all_of(value, is_of_name) && !std::ranges::all_of(value, is_small);
  const std::string key = core::in_lower_case(path.back());
  return (code && std::ranges::find(kKeys, key) != kKeys.end()) || (name && key == "id");
}

}  // namespace ventris::formats
