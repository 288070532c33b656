#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ventris::modifiers {

/// Two texts with a space between them, without one next to Chinese or Japanese characters. Spaces at the joint are
/// left out. Both are valid UTF-8.
std::string joined(std::string_view first, std::string_view second);

/// The punctuation at the end of a text: marks that end sentences or parts of them in any script, and "…".
struct Ending {
  size_t text_end = 0;  ///< byte after the text before the marks, without the space before them
  std::string marks;    ///< empty = none
};
Ending ending_of(std::string_view text);

/// The places (bytes) after the ends of the sentences in a text but the last: a mark that ends sentences, and a space
/// after it unless the mark is Chinese or Japanese.
std::vector<size_t> inner_ends(std::string_view text);

}  // namespace ventris::modifiers
