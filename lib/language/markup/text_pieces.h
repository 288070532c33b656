#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace ventris::markup {

/// What the parser of Markdown reports of a text at a time: it divides a text at backslashes and entities.
struct TextPiece {
  text::ByteRange range;
  std::string text;
  bool escaped = false, entity = false;

  /// The text of these bytes of it.
  std::string part(text::ByteRange of) const {
    if (entity) return text;
    const size_t first = range.begin + (escaped ? 1 : 0);
    const size_t begin = std::max(of.begin, first) - first;
    return text.substr(begin, of.end - first - begin);
  }
};

/// The addresses in pieces that follow each other in the document. They go on behind a backslash.
std::vector<text::ByteRange> addresses_in(std::string_view document, const std::vector<TextPiece>& pieces);

}  // namespace ventris::markup
