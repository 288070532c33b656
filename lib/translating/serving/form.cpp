#include "serving/form.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace ventris::serving {

std::string percent_decoded(std::string_view text, bool plus) {
  std::string decoded;
  decoded.reserve(text.size());
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      decoded += plus && text[at] == '+' ? ' ' : text[at];
      continue;
    }
    unsigned value = 0;
    const std::string_view digits = text.substr(at + 1, 2);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (digits.size() < 2 || error != std::errc() || end != digits.data() + digits.size()) {
      throw RequestError(400, "Invalid request: a % is not followed by two hexadecimal digits");
    }
    decoded += static_cast<char>(value);
    at += 2;
  }
  return decoded;
}

Fields parse_form(std::string_view text) {
  Fields fields;
  while (!text.empty()) {
    const std::string_view field = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(field.size() + 1, text.size()));
    if (field.empty()) continue;
    if (fields.size() == kMostFields) {
      throw RequestError(400, "Invalid request: more than " + std::to_string(kMostFields) + " fields");
    }
    const size_t equals = field.find('=');
    const std::string_view value = equals == std::string_view::npos ? "" : field.substr(equals + 1);
    fields.emplace_back(percent_decoded(field.substr(0, equals), true), percent_decoded(value, true));
  }
  return fields;
}

}  // namespace ventris::serving
