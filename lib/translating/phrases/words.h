#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

/// Where words begin and end in a text, for phrases that must be whole words.
namespace ventris::phrases {

/// Whether a letter, digit or mark belongs to a word that spaces or signs separate from others. Not so in scripts that
/// are written without spaces (Chinese, Japanese, Thai, ...), nor in Hangul, where particles follow a word.
bool is_word_character(char32_t character);

/// Where each word of a text ends, ascending. A character that belongs to no word counts as one; white space, too.
std::vector<size_t> word_ends(std::u32string_view text);

/// The first and the last character; 0 for an empty text.
char32_t first_of(std::string_view text);
char32_t last_of(std::string_view text);

}  // namespace ventris::phrases
