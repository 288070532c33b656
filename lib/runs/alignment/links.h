#pragma once
#include <string>
#include <vector>

#include "text/word_links.h"

/// Word alignments of parallel text: estimated from the text itself, without a translation model.
namespace ventris::alignment {

using text::format_links;
using text::Link;
using text::Links;

/// "0.98 0.514": numbers in [0, 1] with at most three digits after the point.
std::string format_probabilities(const std::vector<float>& probabilities);

}  // namespace ventris::alignment
