#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace ventris::markup {

using text::ByteRange;

/// The characters of a text without white space and objects' signs (U+FFFC), as a number that does not depend on their
/// order. Numbers can be added and subtracted like the texts.
uint64_t characters_of(std::string_view text);

/// What a parser sees of a Markdown document up to the end of a paragraph, heading, table cell, or other block with
/// text. Two leaves whose numbers are equal have the same content, apart from the order.
struct MarkdownLeaf {
  ByteRange range = {};     ///< from its first text or code to its last; empty if it has none
  uint64_t blocks = 0;  ///< the blocks that begin and end before it, with the content of code and HTML, and its own
  uint64_t characters = 0;  ///< that a reader sees, without code and descriptions of images (characters_of)
  uint64_t nodes = 0;  ///< code, images with their targets, tags but those of `scripts`, hard line breaks
  uint64_t links = 0;  ///< the sum of number_of_link() of all links
  int64_t emphasis = 0, strong = 0, strike = 0;  ///< how many there are
  int64_t scripts = 0;  ///< tags <sup> and <sub> and their ends

  /// Whether a translation may have `translated` in the place of this leaf. `difference`: what the translation adds to
  /// the characters; `left_out`: the links that it does not have, as a sum. Only emphasis, strong, strike and
  /// scripts may be fewer beyond that.
  bool may_become(const MarkdownLeaf& translated, uint64_t difference, uint64_t left_out = 0) const;
};

/// The leaves of a document; the last one has the blocks at the end. Throws as markdown_events.
std::vector<MarkdownLeaf> markdown_leaves(std::string_view document);

}  // namespace ventris::markup
