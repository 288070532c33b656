#pragma once
#include <string>
#include <string_view>

namespace ventris::core {

/// Makes untrusted text safe to show on a terminal or to write to a log, on one line. Escapes control characters (\n,
/// \t, \r, \x1b; above U+007F as \u009b), line and paragraph separators, characters that change the direction of
/// writing (U+202A to U+202E, U+2066 to U+2069), and bytes that are not valid UTF-8 (\xff). Everything else stays,
/// including backslashes: escaping twice changes nothing.
///
/// Error, the log and the progress line apply it to their texts. A report or table on stdout must apply it to each name
/// that it prints. Results (translations, pieces) and JSON are not escaped.
std::string printable(std::string_view text);

/// The same for each line of a text; line feeds stay.
std::string printable_lines(std::string_view text);

}  // namespace ventris::core
