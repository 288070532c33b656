#pragma once
#include <string>
#include <string_view>

namespace ventris::core {

/// The text on one line, as it may be shown on a terminal or written to a log, whoever chose its characters. Escaped
/// are: control characters (\n, \t, \r, \x1b; above U+007F \u009b), line and paragraph separators, characters that turn
/// the direction of writing of what follows (U+202A to U+202E, U+2066 to U+2069), and bytes that are no UTF-8 (\xff).
/// All else stays, backslashes too: escaping twice changes nothing.
///
/// What an Error says, each line of the log and the progress line have been through it. What goes to stdout for people
/// (a report, a table) must be, name by name; results (translations, pieces) and JSON are not.
std::string printable(std::string_view text);

/// The same line by line: line feeds stay.
std::string printable_lines(std::string_view text);

}  // namespace ventris::core
