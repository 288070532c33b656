#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace ventris::markup {

/// Whether the character of a UTF-8 text that ends before byte `at` (`before`), or that begins there, is a letter or
/// digit. False at the ends of the text.
bool is_word_part(std::string_view text, size_t at, bool before);

/// Whether there is anything to translate: a letter of any alphabet. Numbers, dates and signs alone stay as they are in
/// all kinds of documents.
bool has_letters(std::string_view text);

/// Whether a sentence goes on from a line to the next one: the line is long, does not end with a stop or a colon, and a
/// small letter follows.
bool line_goes_on(std::string_view line, std::string_view next);

/// The text without spaces, tabs and line ends.
std::string without_white_space(std::string_view text);

/// Whether the byte is a letter of ASCII.
inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Whether the byte is a stop of ASCII, and whether a text ends with one.
inline bool is_stop(char c) { return std::string_view(".,;:!?").find(c) != std::string_view::npos; }
inline bool ends_with_stop(std::string_view text) { return !text.empty() && is_stop(text.back()); }

/// Whether the byte is a digit of ASCII.
inline bool is_digit_byte(char c) { return c >= '0' && c <= '9'; }

/// How many of these characters are in a row from byte `at` on.
inline size_t run_of(std::string_view text, size_t at, std::string_view characters) {
  return (at < text.size() ? std::min(text.find_first_not_of(characters, at), text.size()) : at) - at;
}

/// The line without spaces, tabs and CR at its end.
inline std::string_view without_blanks_behind(std::string_view line) {
  return line.substr(0, line.find_last_not_of(" \t\r") + 1);
}

/// Whether the byte is a letter or digit of ASCII, or a part of any other character.
inline bool is_alnum_byte(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || static_cast<signed char>(c) < 0;
}

/// The same, or a hyphen or underscore, as in the name of a tag of a template.
inline bool is_name_byte(char c) { return is_alnum_byte(c) || c == '-' || c == '_'; }

}  // namespace ventris::markup
