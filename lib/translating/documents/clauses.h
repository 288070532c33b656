#pragma once
#include <functional>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace ventris::documents {

using text::ByteRange;

/// Divides a sentence until `fits` says that each part is short enough: after punctuation inside the sentence if there
/// is any, otherwise at white space, otherwise between two characters. Of the places of one kind, the one next to the
/// middle is taken. The parts have no white space around them. A single character is never divided. A text of several
/// KiB is taken not to fit if a quarter of it does not fit. So `fits` gets a bounded multiple of the text in total.
/// Throws Interrupted after a stop signal.
std::vector<ByteRange> cut_at_clauses(std::string_view text, ByteRange sentence,
                                      const std::function<bool(std::string_view part)>& fits);

}  // namespace ventris::documents
