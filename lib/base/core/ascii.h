#pragma once
#include <algorithm>
#include <string>
#include <string_view>

namespace ventris::core {

/// The text with small letters for A to Z. All other bytes stay, whatever the locale is.
inline std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return lower;
}

inline bool is_ascii(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return static_cast<signed char>(c) < 0; });
}

}  // namespace ventris::core
