#pragma once
#include <string_view>
#include <vector>

#include "markup/block_builder.h"
#include "markup/markdown_events.h"

namespace ventris::markup {

/// Turns the events of a document, which have their places (locate_markdown), into parts: pairs marks, and makes
/// objects of code, images, addresses, signs of footnotes, and what has no letters or digits. Throws as ParsingLimits.
std::vector<Part> markdown_parts(std::string_view document, const std::vector<MarkdownEvent>& events);

}  // namespace ventris::markup
