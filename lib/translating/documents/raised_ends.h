#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "markup/marked_text.h"

namespace ventris::documents {

/// The places in `marks` of the tags <sup> and <sub> of HTML around the end of a word, and of large initials of
/// chapters, ascending: "19<sup>th</sup>", "<span class="dropcap">O</span>nce". A translation is written without them:
/// it has another end, or none, and the whole word would be raised or large.
std::vector<size_t> raised_ends(std::string_view text, const std::vector<markup::Mark>& marks);

}  // namespace ventris::documents
