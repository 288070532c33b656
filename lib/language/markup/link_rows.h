#pragma once
#include <string_view>
#include <vector>

#include "markup/block_builder.h"

namespace ventris::markup {

/// The parts of a document, where each link of a row is a block of its own: in a menu, a translation of all together
/// would leave links without words. A row is a block, or its end, with at least two links that have letters, and no
/// letters outside of links; what is there is kept. At the end of a block, there must be a sign that separates: a stop
/// or a colon in front of the row, or a bar or a dot in the middle between its links: "All rights reserved. A | B".
/// Elements of programs (is_element_of_program) count as links. Takes a time that grows with the parts.
std::vector<Part> with_divided_rows(std::string_view document, std::vector<Part> parts);

}  // namespace ventris::markup
