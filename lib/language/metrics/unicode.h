#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Text functions that work like those of Python's str, because published scores were computed with Python. Input is
/// UTF-8; a maximal ill-formed part counts as one U+FFFD.
namespace ventris::metrics {

/// Whether the character is white space for Python's str.split() and str.rstrip(). These are 29 code points, including
/// U+001C to U+001F and U+0085, but not U+200B or U+FEFF.
bool is_space(char32_t character);

/// The class of a character by its general category in ICU's version of Unicode.
enum class CharacterClass : uint8_t { kOther, kPunctuation, kSymbol, kNumber };
CharacterClass character_class(char32_t character);

/// The character that begins at `position` (< length). Moves `position` after it.
char32_t next_character(std::string_view text, size_t& position);

/// Calls each(character, bytes) for each character.
template <typename Each>
void for_each_character(std::string_view text, const Each& each) {
  for (size_t position = 0; position < text.size();) {
    const size_t start = position;
    const char32_t character = next_character(text, position);
    each(character, text.substr(start, position - start));
  }
}

std::u32string decode(std::string_view text);
std::string encode(const std::u32string& text);

/// The words, separated by white space, as views into `text`.
std::vector<std::string_view> split_words(std::string_view text);

/// Joins the words with spaces.
std::string join_words(const std::vector<std::string_view>& words);

/// `text` without white space at its end.
std::string_view strip_right(std::string_view text);

/// `text` without white space at both ends.
std::string_view strip(std::string_view text);

/// Full lower-casing, independent of the locale: a sigma at the end of a word becomes U+03C2, U+0130 becomes two
/// characters. Ill-formed parts stay as they are. Throws DataError for a text over 2 GiB.
std::string to_lower(std::string_view text);

}  // namespace ventris::metrics
