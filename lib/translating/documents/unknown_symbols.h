#pragma once
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace ventris::documents {

/// The emoji and other symbols (behind U+00FF) of a text that one of both tokenizers does not know, and the raised and
/// lowered numbers and fractions ("m²", "½") that one of them writes in another way, so that a model cannot copy them.
/// Those that touch each other are one range. In order, without overlaps.
std::vector<text::ByteRange> unknown_symbols(std::string_view text, const text::Tokenizer& source,
                                             const text::Tokenizer& target);

/// Whether it is made of emoji and other symbols alone.
bool are_only_symbols(std::string_view text);

}  // namespace ventris::documents
