#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "markup/block_builder.h"

/// Blocks of HTML in Markdown: <details>, <summary>, <p align="center">, tables...
namespace ventris::markup {

/// The parts of such a block, as parse_html() divides a document; `range`: its bytes in the document. A sentence or
/// cell with braces, which can be code of a program (JSX, MDX), or with a sign of Markdown, is kept, because the author
/// may have expected something else than a text. Throws as ParsingLimits.
std::vector<Part> html_block_parts(std::string_view document, text::ByteRange range);

/// A number for all that is not text in such a block: tags, comments, scripts. It does not depend on their order, nor
/// on white space in them.
uint64_t digest_of_html(std::string_view html);

}  // namespace ventris::markup
