#include "phrases/words.h"

#include <unicode/uchar.h>

#include "metrics/unicode.h"

namespace ventris::phrases {

bool is_word_character(char32_t character) {
  const auto c = static_cast<UChar32>(character);
  const auto category = static_cast<uint32_t>(U_GET_GC_MASK(c));
  if ((category & (U_GC_L_MASK | U_GC_M_MASK | U_GC_N_MASK)) == 0) return false;
  const int32_t kind = u_getIntPropertyValue(c, UCHAR_LINE_BREAK);
  return kind == U_LB_ALPHABETIC || kind == U_LB_HEBREW_LETTER || kind == U_LB_NUMERIC || kind == U_LB_COMBINING_MARK;
}

char32_t first_of(std::string_view text) {
  size_t position = 0;
  return text.empty() ? 0 : metrics::next_character(text, position);
}

char32_t last_of(std::string_view text) {
  size_t start = text.size();
  while (start > 0 && (static_cast<unsigned char>(text[--start]) & 0xC0) == 0x80) {
  }
  return first_of(text.substr(start));
}

std::vector<size_t> word_ends(std::u32string_view text) {
  std::vector<size_t> ends;
  for (size_t end = 0; end < text.size(); ends.push_back(end)) {
    if (!is_word_character(text[end++])) continue;
    while (end < text.size() && is_word_character(text[end])) ++end;
  }
  return ends;
}

}  // namespace ventris::phrases
