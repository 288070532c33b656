#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/utf8.h"

namespace ventris::inspection {

/// How often a character occurs in a text.
struct CharacterCount {
  char32_t character = 0;
  int64_t count = 0;
};

/// Characters of one Unicode script ("Latin", "Cyrillic"; digits, punctuation and similar are "Common").
struct ScriptCount {
  std::string script;
  int64_t count = 0;
  std::vector<CharacterCount> top;  ///< the most frequent ones, most frequent first
};

/// The length of a text.
struct TextLength {
  int64_t characters = 0;
  int64_t words = 0;  ///< runs of anything but Unicode white space
};

/// Counts the characters of a text, without white space. Memory: 9 MB.
class CharacterCounts {
 public:
  CharacterCounts();

  /// `text` must be valid UTF-8.
  TextLength add(std::string_view text);

  /// The scripts that occur, most frequent first, each with at most `most` characters.
  std::vector<ScriptCount> scripts(size_t most) const;

 private:
  std::vector<int64_t> counts_;  // by code point
};

/// The character as "U+0041".
std::string code_of(char32_t character);
using core::utf8_of;

}  // namespace ventris::inspection
