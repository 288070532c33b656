#include "documents/sentence_characters.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <string_view>

#include "markup/text_cursor.h"

namespace ventris::documents {
namespace {

constexpr UChar32 kForObject = 0xFFFC;  // stands for something that is no text
constexpr UChar32 kJoiner = 0x200D;     // of emoji

bool is_one_of(UChar32 character, std::u32string_view characters) {
  return characters.find(static_cast<char32_t>(character)) != std::u32string_view::npos;
}

int32_t class_of(UChar32 character) { return u_getIntPropertyValue(character, UCHAR_SENTENCE_BREAK); }

}  // namespace

bool is_separator(UChar32 character) { return class_of(character) == U_SB_SEP; }

bool is_terminator(UChar32 character) {
  const int32_t kind = class_of(character);
  return kind == U_SB_ATERM || kind == U_SB_STERM || is_ellipsis(character);
}

bool wants_space(UChar32 character) {
  return is_full_stop(character) || is_ellipsis(character) || is_one_of(character, U"!?\u203C\u203D\u2047\u2048\u2049");
}

bool is_full_stop(UChar32 character) { return class_of(character) == U_SB_ATERM; }

bool is_ellipsis(UChar32 character) { return character == 0x2025 || character == 0x2026; }

bool goes_on(UChar32 character) { return class_of(character) == U_SB_SCONTINUE || character == ';'; }

bool is_quotation_mark(UChar32 character) { return u_hasBinaryProperty(character, UCHAR_QUOTATION_MARK) != 0; }

bool is_opening_bracket(UChar32 character) { return u_charType(character) == U_START_PUNCTUATION; }

bool is_start_without_letter(UChar32 character) {
  return u_isdigit(character) != 0 || u_charType(character) == U_CURRENCY_SYMBOL || is_one_of(character, U"{%#@<") ||
         character == kForObject;
}

bool is_closing(UChar32 character) {
  return (class_of(character) == U_SB_CLOSE && !is_opening_bracket(character)) || is_one_of(character, U"*_\u2019") ||
         character == kForObject || (u_charType(character) == U_FORMAT_CHAR && character != kJoiner) ||
         (u_charType(character) == U_OTHER_NUMBER && is_one_of(character, U"\u00B9\u00B2\u00B3"));
}

bool is_unspaced(UChar32 character) {
  const int width = u_getIntPropertyValue(character, UCHAR_EAST_ASIAN_WIDTH);
  return (width == U_EA_WIDE || width == U_EA_FULLWIDTH) && !is_pictograph(character) &&
         u_getIntPropertyValue(character, UCHAR_SCRIPT) != USCRIPT_HANGUL;
}

bool is_pictograph(UChar32 character) {
  return character > 0xFF && (u_hasBinaryProperty(character, UCHAR_EXTENDED_PICTOGRAPHIC) != 0 ||
                              u_hasBinaryProperty(character, UCHAR_REGIONAL_INDICATOR) != 0);
}

bool continues_pictograph(UChar32 character) {
  return is_one_of(character, U"\u200D\uFE0E\uFE0F\u20E3") ||
         u_hasBinaryProperty(character, UCHAR_EMOJI_MODIFIER) != 0 || (character >= 0xE0020 && character <= 0xE007F);
}

bool touches_next_word(UChar32 character) {
  return markup::is_cjk(character) || u_getIntPropertyValue(character, UCHAR_LINE_BREAK) == U_LB_COMPLEX_CONTEXT;
}

}  // namespace ventris::documents
