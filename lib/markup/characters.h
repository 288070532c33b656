#pragma once
#include <cstddef>
#include <string_view>

namespace ventris::markup {

/// Whether the character of a UTF-8 text that ends before byte `at` (`before`), or that begins there, is a letter or
/// digit. False at the ends of the text.
bool is_word_part(std::string_view text, size_t at, bool before);

}  // namespace ventris::markup
