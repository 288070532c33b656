#pragma once
#include <string_view>

#include "text/tokenizer.h"

namespace ventris::documents {

/// Whether two things in a text, one behind the other, touch the words between them from outside, as tags do, and no
/// others: "the {start}old dogs{end} sleep". The first word has at least two letters. Words of CJK touch others, so
/// that it says nothing there.
bool touch_words_between(std::string_view text, text::ByteRange first, text::ByteRange second);

}  // namespace ventris::documents
