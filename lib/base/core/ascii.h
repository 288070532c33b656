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

}  // namespace ventris::core
