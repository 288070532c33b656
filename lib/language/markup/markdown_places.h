#pragma once
#include <string_view>
#include <vector>

#include "markup/markdown_events.h"

namespace ventris::markup {

/// Gives each event its place. An event of a block whose signs are not found becomes a kBlock without bytes, so that
/// the block is kept as it is.
void locate_markdown(std::string_view document, std::vector<MarkdownEvent>& events);

}  // namespace ventris::markup
