#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "markup/markup.h"

namespace ventris::formats {

/// Moves tags of a translation such that each pair is in one subtitle: a pair that would go on in a later one ends with
/// the one in which it begins or, if it has no text there, begins with the next one. `lines`: of a block; `cues`: the
/// number of the subtitle of each.
void mend_pairs(std::vector<std::string>& lines, const std::vector<size_t>& cues, markup::Markup markup);

}  // namespace ventris::formats
