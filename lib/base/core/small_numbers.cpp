#include "core/small_numbers.h"

#include <algorithm>

namespace ventris::core {
namespace {

/// A number with only two digits of each sequence of digits, filled up with spaces. A valid number stays valid.
std::string small_number(std::string_view number) {
  std::string small;
  size_t digits = 0;
  for (const char c : number) {
    digits = c >= '0' && c <= '9' ? digits + 1 : 0;
    if (digits <= 2) small += c;
  }
  small.resize(number.size(), ' ');
  return small;
}

}  // namespace

std::string with_small_numbers(std::string text) {
  constexpr std::string_view kOfNumbers = "0123456789+-.eE";
  bool quoted = false;
  for (size_t i = 0; i < text.size();) {
    const bool escape = quoted && text[i] == '\\';
    if (text[i] == '"') quoted = !quoted;
    if (quoted || kOfNumbers.find(text[i]) == std::string_view::npos) {
      i += escape ? 2 : 1;
      continue;
    }
    const size_t end = std::min(text.find_first_not_of(kOfNumbers, i), text.size());
    text.replace(i, end - i, small_number(std::string_view(text).substr(i, end - i)));
    i = end;
  }
  return text;
}

}  // namespace ventris::core
