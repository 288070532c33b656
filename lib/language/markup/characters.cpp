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

bool has_letters(std::string_view text) {
  const auto size = static_cast<int32_t>(text.size());
  for (int32_t at = 0; at < size;) {
    UChar32 character = 0;
    U8_NEXT(text.data(), at, size, character);
    if (character > 0 && u_isalpha(character) != 0) return true;
  }
  return false;
}

}  // namespace ventris::markup
