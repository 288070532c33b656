#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace ventris::markup {

/// Reads the hexadecimal digits of "\uD83D\uDE00" (`letter`: 'u'): `at` is the first of four. Appends the character,
/// which may have two such escapes, and returns the byte behind them; std::string_view::npos if there are fewer digits
/// or half a surrogate pair.
size_t read_unicode_escape(std::string_view text, size_t at, char letter, std::string& out);

/// Appends "\u00fc" for the character, with two escapes for one over U+FFFF.
void append_unicode_escape(std::string& out, char32_t character);

}  // namespace ventris::markup
