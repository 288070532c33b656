#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "documents/placement.h"

namespace ventris::documents {

/// Divides a translation into as many lines as its source has, by line feeds, which take the place of white space or,
/// in writing systems without spaces, stand where ICU allows a line to end. The lines have the same shares of the text
/// as those of the source, as nearly as its words allow; near such a place, a line ends after punctuation. The last
/// lines of a translation with fewer words than lines are empty. `source`: as the model got it; `line_ends`: the bytes
/// in it that were line feeds. A translation that is the source is divided in the same places. Time grows with both
/// texts.
AlignedText lay_out_lines(std::string_view source, const std::vector<size_t>& line_ends, AlignedText translation);

}  // namespace ventris::documents
