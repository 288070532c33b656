#pragma once
#include <cstddef>
#include <string_view>

#include "markup/markdown_extensions.h"

namespace ventris::markup {

constexpr std::string_view kBeforeText = " \t\r>";  ///< before the text of a line in a quotation or list

/// Adds what a paragraph, whose lines are not blank, has of these extensions. `offset`: its place in the document, in
/// which the places are that are added. Takes a time that grows with the paragraph.
void find_extensions(std::string_view paragraph, size_t offset, MarkdownExtensions& found);

}  // namespace ventris::markup
