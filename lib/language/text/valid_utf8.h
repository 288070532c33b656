#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/utf8.h"

namespace ventris::text {

/// Whether the bytes are well-formed UTF-8 (no surrogates, no overlong forms, at most U+10FFFF).
bool is_valid_utf8(std::string_view bytes);

/// The text with each maximal ill-formed part replaced by U+FFFD (Unicode 15, section 3.9, best practice).
std::string replace_invalid_utf8(std::string_view bytes);

using core::cut_utf8;

/// Whether a reader sees nothing of the text: it has only white space (Unicode White_Space and control characters) and
/// invisible characters (invisible.h), or nothing.
bool is_blank(std::string_view text);

/// The first character, or the first maximal ill-formed part; empty for an empty text.
std::string_view first_character(std::string_view text);

/// Divides a text into blocks of at most `most` bytes (at least 4). Divides at a space, which is then in neither block,
/// or, if there is no space, between two characters. A short text is one block.
std::vector<std::string_view> blocks_of(std::string_view text, size_t most);

/// Replaces every LF and CR by a space. (Byte pieces of a tokenizer may produce them.)
void remove_line_ends(std::string& text);

/// The text with LF in the place of CR LF.
std::string with_line_feeds(std::string_view text);

}  // namespace ventris::text
