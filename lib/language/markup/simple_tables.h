#pragma once
#include <cstddef>
#include <string_view>

namespace ventris::markup {

/// The end, before its line end, of the table of pandoc without bars that begins with this line, which is at byte
/// `line` behind an empty line or at the beginning of the document; npos if there is none. All its lines have spaces
/// between the columns, and its first and last line have at least three bytes. It ends before an empty line, and is one
/// of these:
/// - a head above a line of hyphens for each column, and rows;
/// - rows between two such lines, which empty lines may divide;
/// - a line of nothing but hyphens, a head of several lines, a line with hyphens for each column, rows that empty lines
///   may divide, and a line of nothing but hyphens.
/// Takes a time that grows with the lines up to the next line of hyphens.
size_t end_of_simple_table(std::string_view document, size_t line);

}  // namespace ventris::markup
