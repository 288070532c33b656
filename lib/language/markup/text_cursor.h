#pragma once
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

/// Characters of a UTF-8 text of less than 2 GiB, by place; an ill-formed part counts as a negative character.
namespace ventris::markup {

/// The character that begins at this byte (before the end). Moves `at` behind it.
inline UChar32 next_character(std::string_view text, size_t& at) {
  auto place = static_cast<int32_t>(at);
  UChar32 character = 0;
  U8_NEXT(text.data(), place, static_cast<int32_t>(text.size()), character);
  at = static_cast<size_t>(place);
  return character;
}

/// The character that ends before this byte (not 0). Moves `at` to its beginning.
inline UChar32 previous_character(std::string_view text, size_t& at) {
  auto place = static_cast<int32_t>(at);
  UChar32 character = 0;
  U8_PREV(text.data(), 0, place, character);
  at = static_cast<size_t>(place);
  return character;
}

/// -1 at the end of the text.
inline UChar32 character_at(std::string_view text, size_t at) {
  return at < text.size() ? next_character(text, at) : -1;
}

/// The byte behind the character that begins at this one (before the end).
inline size_t after_character(std::string_view text, size_t at) {
  next_character(text, at);
  return at;
}

/// -1 at the beginning of the text.
inline UChar32 character_before(std::string_view text, size_t at) { return at > 0 ? previous_character(text, at) : -1; }

/// Whether `sign` begins at this byte, which may be behind the end.
inline bool stands_at(std::string_view text, size_t at, std::string_view sign) {
  return text.substr(at < text.size() ? at : text.size()).starts_with(sign);
}

/// The first byte from `at` on whose character is not of a kind.
template <typename IsOfKind>
size_t end_of_run(std::string_view text, size_t at, const IsOfKind& is_of_kind) {
  while (at < text.size()) {
    size_t next = at;
    if (!is_of_kind(next_character(text, next))) break;
    at = next;
  }
  return at;
}

/// A letter, accent, digit or underscore.
inline bool is_word_character(UChar32 c) {
  return c >= 0 && (c == '_' || u_isalnum(c) != 0 || (U_GET_GC_MASK(c) & (U_GC_M_MASK | U_GC_PC_MASK)) != 0);
}

inline bool is_space(UChar32 c) { return c >= 0 && u_isUWhiteSpace(c) != 0; }

/// A letter or sign of Chinese, Japanese or Korean.
inline bool is_cjk(UChar32 c) {
  if (c < 0x1100) return false;
  const int width = u_getIntPropertyValue(c, UCHAR_EAST_ASIAN_WIDTH);
  return (width == U_EA_WIDE || width == U_EA_FULLWIDTH) && u_hasBinaryProperty(c, UCHAR_EMOJI_PRESENTATION) == 0;
}

}  // namespace ventris::markup
