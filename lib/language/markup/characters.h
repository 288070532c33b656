#pragma once
#include <cstddef>
#include <string_view>

namespace ventris::markup {

/// Whether the character of a UTF-8 text that ends before byte `at` (`before`), or that begins there, is a letter or
/// digit. False at the ends of the text.
bool is_word_part(std::string_view text, size_t at, bool before);

/// Whether the byte is a letter or digit of ASCII, or a part of any other character.
inline bool is_alnum_byte(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || static_cast<signed char>(c) < 0;
}

}  // namespace ventris::markup
