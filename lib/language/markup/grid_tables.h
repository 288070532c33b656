#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "markup/markup.h"

/// Grid tables of pandoc and reStructuredText in Markdown, which CommonMark does not know:
///   +------+-----+
///   | a    | b   |
///   +======+=====+
///   | c    | d   |
///   +------+-----+
namespace ventris::markup {

/// Where the last line of the table ends whose first line has its text at this place, behind `before` in its line; npos
/// if no table begins there. All lines have the same signs before their text.
size_t end_of_grid_table(std::string_view document, size_t before, size_t text);

/// Adds the texts in the cells of such tables as blocks at the end, and what draws the tables again, as wide as the
/// translations need it. A table with cells over several columns or rows has none.
void add_grid_tables(const std::string& document, MarkedDocument& parsed);

}  // namespace ventris::markup
