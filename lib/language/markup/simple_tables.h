#pragma once
#include <cstddef>
#include <string_view>

namespace ventris::markup {

/// The end, before its line end, of the table of pandoc without bars that begins with this line, which is at byte
/// `line` behind an empty line or at the beginning of the document; npos if there is none. Such a table has a head
/// above a line of hyphens, or is between two such lines. It ends before an empty line. All its lines have spaces
/// between the columns, and its first and last line have at least three bytes. Takes a time that grows with the lines
/// up to the empty one.
size_t end_of_simple_table(std::string_view document, size_t line);

}  // namespace ventris::markup
