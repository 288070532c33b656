#pragma once
#include <string_view>

/// Where words begin and end in a text, for phrases that must be whole words.
namespace ventris::phrases {

/// Whether a letter, digit or mark belongs to a word that spaces or signs separate from others. Not so in scripts that
/// are written without spaces (Chinese, Japanese, Thai, ...), nor in Hangul, where particles follow a word.
bool is_word_character(char32_t character);

/// Whether the text has the phrase. A word character at the beginning or the end of the phrase must not have another
/// one next to it.
bool has_words(std::string_view text, std::string_view phrase);

/// The first and the last character; 0 for an empty text.
char32_t first_of(std::string_view text);
char32_t last_of(std::string_view text);

}  // namespace ventris::phrases
