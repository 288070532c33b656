#include "modifiers/endings.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

namespace ventris::modifiers {
namespace {

constexpr UChar32 kEllipsis = 0x2026;

/// The code point before byte `end`, which is over 0; `end` moves to its beginning.
UChar32 previous(std::string_view text, size_t& end) {
  UChar32 code = 0;
  auto place = static_cast<int32_t>(end);
  U8_PREV(text.data(), 0, place, code);
  end = static_cast<size_t>(place);
  return code;
}

/// The code point at `begin`, which is before the end of the text; `begin` moves to the next.
UChar32 next(std::string_view text, size_t& begin) {
  UChar32 code = 0;
  auto place = static_cast<int32_t>(begin);
  U8_NEXT(text.data(), place, static_cast<int32_t>(text.size()), code);
  begin = static_cast<size_t>(place);
  return code;
}

/// Whether no space is written beside the character.
bool is_spaceless(UChar32 code) {
  const bool fullwidth_mark = (code >= 0x3000 && code <= 0x303F) || (code >= 0xFF01 && code <= 0xFF60);
  if (fullwidth_mark) return true;
  UErrorCode error = U_ZERO_ERROR;
  switch (uscript_getScript(code, &error)) {
    case USCRIPT_HAN:
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_BOPOMOFO: return true;
    default: return false;
  }
}

bool is_final_mark(UChar32 code) {
  return u_hasBinaryProperty(code, UCHAR_TERMINAL_PUNCTUATION) != 0 || code == kEllipsis;
}

bool ends_sentence(UChar32 code) { return u_hasBinaryProperty(code, UCHAR_S_TERM) != 0; }

std::string_view without_last_spaces(std::string_view text) {
  for (size_t end = text.size(); end > 0;) {
    if (u_isUWhiteSpace(previous(text, end)) == 0) break;
    text = text.substr(0, end);
  }
  return text;
}

std::string_view without_first_spaces(std::string_view text) {
  for (size_t begin = 0; begin < text.size();) {
    const size_t before = begin;
    if (u_isUWhiteSpace(next(text, begin)) == 0) return text.substr(before);
  }
  return {};
}

}  // namespace

std::string joined(std::string_view first, std::string_view second) {
  first = without_last_spaces(first);
  second = without_first_spaces(second);
  std::string text(first);
  if (!first.empty() && !second.empty()) {
    size_t end = first.size(), begin = 0;
    const bool close = is_spaceless(previous(first, end)) || is_spaceless(next(second, begin));
    if (!close) text += ' ';
  }
  return text.append(second);
}

Ending ending_of(std::string_view text) {
  text = without_last_spaces(text);
  size_t begin = text.size();
  for (size_t before = begin; before > 0;) {
    if (!is_final_mark(previous(text, before))) break;
    begin = before;
  }
  return {without_last_spaces(text.substr(0, begin)).size(), std::string(text.substr(begin))};
}

std::vector<size_t> inner_ends(std::string_view text) {
  text = without_last_spaces(text);
  std::vector<size_t> ends;
  bool after_mark = false, after_spaceless = false;
  for (size_t place = 0; place < text.size();) {
    const size_t begin = place;
    const UChar32 code = next(text, place);
    const bool mark = ends_sentence(code);
    if (after_mark && !mark && (after_spaceless || u_isUWhiteSpace(code) != 0)) ends.push_back(begin);
    after_mark = mark;
    after_spaceless = mark && is_spaceless(code);
  }
  return ends;
}

}  // namespace ventris::modifiers
