#pragma once
#include <string_view>

#include "phrases/words.h"

namespace ventris::test {

/// Whether the text has the phrase. A word character at the beginning or the end of the phrase must not have another
/// one next to it. This is the definition, one phrase at a time.
inline bool has_words(std::string_view text, std::string_view phrase) {
  using phrases::first_of, phrases::is_word_character, phrases::last_of;
  if (phrase.empty()) return true;
  const bool word_begins = is_word_character(first_of(phrase)), word_ends = is_word_character(last_of(phrase));
  for (size_t at = text.find(phrase); at != std::string_view::npos; at = text.find(phrase, at + 1)) {
    const bool begins = !word_begins || !is_word_character(last_of(text.substr(0, at)));
    const bool ends = !word_ends || !is_word_character(first_of(text.substr(at + phrase.size())));
    if (begins && ends) return true;
  }
  return false;
}

}  // namespace ventris::test
