#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "markup/block_builder.h"

/// Labels and titles at the beginning of a block of Markdown, which are texts of their own.
namespace ventris::markup {

/// The size of the label of a quotation: "[!NOTE]" of GitHub, "[!tip]-" of other programs; 0: there is none.
size_t size_of_label(std::string_view text);

/// Whether a line that ends here is a title: `parts`, those of the document so far, end with a block of one line in
/// strong letters, such as "**Note**", and the next line, from this byte on, begins with a capital.
bool ends_title(std::string_view document, const std::vector<Part>& parts, size_t next);

/// The size of what separates a label at the beginning of a block from the text behind it: "**Note**: a",
/// "[Book](u) - a". `parts`: those of the document so far. 0: there is none.
size_t size_of_separator(std::string_view document, const std::vector<Part>& parts, std::string_view text);

/// The size of the mark of a task that CommonMark does not know, in brackets, at the beginning of an item of a list:
/// "[/] ", "[>] ". `before`: what stands before the text in its line.
size_t size_of_task(std::string_view before, std::string_view text);

}  // namespace ventris::markup
