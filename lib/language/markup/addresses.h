#pragma once
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace ventris::markup {

using text::ByteRange;

/// URLs ("https://a.org/b", with any scheme), addresses that begin with "www.", and e-mail addresses in a text, in
/// order and without overlaps. A URL ends before white space, quotation marks, CJK characters, and punctuation at its
/// end; brackets that are opened in it belong to it. The time grows with the size of the text alone.
std::vector<ByteRange> find_addresses(std::string_view text);

}  // namespace ventris::markup
