#include "markup/characters.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <cstdint>

namespace ventris::markup {

bool is_word_part(std::string_view text, size_t at, bool before) {
  UChar32 character = 0;
  auto place = static_cast<int32_t>(at);
  if (before ? at == 0 : at >= text.size()) return false;
  if (before) {
    U8_PREV(text.data(), 0, place, character);
  } else {
    U8_NEXT(text.data(), place, static_cast<int32_t>(text.size()), character);
  }
  return u_isalnum(character) != 0;
}

std::string without_white_space(std::string_view text) {
  std::string bytes(text);
  std::erase_if(bytes, [](char c) { return c == '\n' || c == '\r' || c == ' ' || c == '\t'; });
  return bytes;
}

bool has_letters(std::string_view text) {
  const auto size = static_cast<int32_t>(text.size());
  for (int32_t at = 0; at < size;) {
    UChar32 character = 0;
    U8_NEXT(text.data(), at, size, character);
    if (character > 0 && u_isalpha(character) != 0) return true;
  }
  return false;
}

bool line_goes_on(std::string_view line, std::string_view next) {
  constexpr size_t kLongLine = 30;  // bytes of a line that ends only because it is long
  line = without_blanks_behind(line);
  if (line.size() < kLongLine || next.empty()) return false;
  UChar32 last = 0, first = 0;
  auto end = static_cast<int32_t>(line.size());
  int32_t begin = 0;
  U8_PREV(line.data(), 0, end, last);
  U8_NEXT(next.data(), begin, static_cast<int32_t>(next.size()), first);
  const bool stops = u_hasBinaryProperty(last, UCHAR_S_TERM) != 0 || last == ':' || last == 0x2026;
  return !stops && u_islower(first) != 0;
}

}  // namespace ventris::markup
