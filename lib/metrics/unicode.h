#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Text as Python's str treats it, since the published numbers of the field rest on that. Input is UTF-8; a maximal
/// ill-formed piece counts as one U+FFFD.
namespace ventris::metrics {

/// Whether Python's str.split() and str.rstrip() take it for white space: 29 code points, among them U+001C to U+001F
/// and U+0085, but not U+200B or U+FEFF.
bool is_space(char32_t character);

/// What a character is by its general category, as ICU's version of Unicode has it.
enum class CharacterClass : uint8_t { kOther, kPunctuation, kSymbol, kNumber };
CharacterClass character_class(char32_t character);

/// The character that begins at `position` (under the length), which moves behind it.
char32_t next_character(std::string_view text, size_t& position);

/// Calls each(character, its bytes).
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

/// The words between white space; views into `text`.
std::vector<std::string_view> split_words(std::string_view text);

/// The words with a space between.
std::string join_words(const std::vector<std::string_view>& words);

/// `text` without white space at its end.
std::string_view strip_right(std::string_view text);

/// `text` without white space at both ends.
std::string_view strip(std::string_view text);

/// Full lower-casing without a locale: a sigma at the end of a word becomes U+03C2, U+0130 becomes two characters.
/// Ill-formed pieces stay as they are. Throws DataError for a text of over 2 GiB.
std::string to_lower(std::string_view text);

}  // namespace ventris::metrics
