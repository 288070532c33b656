#pragma once
#include <string>
#include <string_view>

namespace ventris::office {

/// Whether a text has characters for private use (Unicode, section 23.5), and otherwise only spaces: fonts of symbols,
/// such as Wingdings, draw pictures for them.
bool is_symbols(std::string_view text);

/// U+2011, a hyphen after which no line ends.
inline constexpr std::string_view kNoBreakHyphen = "\u2011";

/// The text with hyphens of the usual kind, which models know.
std::string with_usual_hyphens(std::string_view text);

/// `translation` with the hyphens in its words that may not end a line: all of them if those of `source` are so,
/// otherwise those in words that are also words of the source. What is between "<" and ">" stays.
std::string with_no_break_hyphens(std::string_view translation, std::string_view source);

}  // namespace ventris::office
