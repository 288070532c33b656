#include "settings.h"

#include <algorithm>
#include <charconv>

#include "core/error.h"
#include "core/json_reader.h"
#include "text/valid_utf8.h"

namespace ventris::python {
namespace {

using nlohmann::json;

constexpr const char* kBytes = "bytes";

std::string from_hex(const std::string& text) {
  std::string bytes;
  for (size_t i = 0; i < text.size(); i += 2) {
    unsigned char byte = 0;
    const char* begin = text.data() + i;
    const char* end = text.data() + std::min(i + 2, text.size());
    if (end - begin != 2 || std::from_chars(begin, end, byte, 16).ptr != end) {
      fail<ConfigError>("settings: expected pairs of hexadecimal digits under \"", kBytes, "\", got '", text, "'");
    }
    bytes.push_back(static_cast<char>(byte));
  }
  return bytes;
}

std::string to_hex(const std::string& bytes) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += {kDigits[byte / 16], kDigits[byte % 16]};
  }
  return text;
}

bool stands_for_bytes(const json& value) {
  return value.is_object() && value.size() == 1 && value.contains(kBytes) && value[kBytes].is_string();
}

/// Calls change(value) for each setting, and for each item of one that is a list.
template <typename Change>
void for_each_value(json& settings, const Change& change) {
  for (json& setting : settings) {
    if (!setting.is_array()) {
      change(setting);
      continue;
    }
    for (json& item : setting) change(item);
  }
}

}  // namespace

json read_settings(const std::string& text) {
  json settings = core::parse_json(text, "settings");
  if (!settings.is_object()) fail<ConfigError>("settings: expected a JSON object");
  for_each_value(settings, [](json& value) {
    if (stands_for_bytes(value)) value = from_hex(value[kBytes].get<std::string>());
  });
  return settings;
}

std::string write_settings(const json& settings) {
  json all = settings;
  for_each_value(all, [](json& value) {
    if (value.is_string() && !text::is_valid_utf8(value.get<std::string>())) {
      value = {{kBytes, to_hex(value.get<std::string>())}};
    }
  });
  return all.dump();
}

}  // namespace ventris::python
