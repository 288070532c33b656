#include "markup/unicode_escapes.h"

#include <fmt/format.h>
#include <unicode/utf16.h>

#include <charconv>

#include "core/utf8.h"

namespace ventris::markup {
namespace {

constexpr size_t kDigits = 4;

/// The number of these digits; over 0xFFFF if they are none.
uint32_t unit_at(std::string_view text, size_t at) {
  constexpr uint32_t kNoDigit = 0x10000;
  if (at > text.size() || text.size() - at < kDigits) return kNoDigit;
  uint32_t unit = kNoDigit;
  const char* const begin = text.data() + at;
  const auto [end, error] = std::from_chars(begin, begin + kDigits, unit, 16);
  return error == std::errc() && end == begin + kDigits ? unit : kNoDigit;
}

}  // namespace

size_t read_unicode_escape(std::string_view text, size_t at, char letter, std::string& out) {
  UChar32 character = static_cast<UChar32>(unit_at(text, at));
  if (character > 0xFFFF || U16_IS_TRAIL(character)) return std::string_view::npos;
  at += kDigits;
  if (U16_IS_LEAD(character)) {
    if (at + 1 >= text.size() || text[at] != '\\' || text[at + 1] != letter) return std::string_view::npos;
    const uint32_t trail = unit_at(text, at + 2);
    if (trail > 0xFFFF || !U16_IS_TRAIL(trail)) return std::string_view::npos;
    character = static_cast<UChar32>(U16_GET_SUPPLEMENTARY(character, trail));
    at += 2 + kDigits;
  }
  out += core::utf8_of(static_cast<char32_t>(character));
  return at;
}

void append_unicode_escape(std::string& out, char32_t character) {
  const auto c = static_cast<UChar32>(character);
  if (c <= 0xFFFF) {
    out += fmt::format("\\u{:04x}", c);
  } else {
    out += fmt::format("\\u{:04x}\\u{:04x}", static_cast<uint32_t>(U16_LEAD(c)), static_cast<uint32_t>(U16_TRAIL(c)));
  }
}

}  // namespace ventris::markup
