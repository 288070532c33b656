#pragma once
#include <string>
#include <string_view>

#include "markup/markup.h"

namespace ventris::markup {

/// parse_markup() for Markdown (read_markdown). Kept are blocks of code and HTML, link targets, images, and settings
/// between "---" or "+++" at the beginning. `descriptions`: also translate descriptions of images, and titles
/// (markdown_descriptions.h).
MarkedDocument parse_markdown(const std::string& document, bool descriptions = false);

/// The same without texts beside the blocks.
MarkedDocument parse_markdown_blocks(const std::string& document);

/// escape() and escape_start() for Markdown.
std::string escape_markdown(std::string_view text, Escaping escaping);
std::string escape_markdown_start(std::string text, std::string_view before);

/// Each character that can be markup anywhere gets a backslash, also where it is not.
std::string escape_markdown_strictly(std::string_view text);

}  // namespace ventris::markup
