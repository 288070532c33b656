#pragma once
#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "markup/markdown_extensions.h"

namespace ventris::markup {

constexpr std::string_view kBeforeText = " \t\r>";  ///< before the text of a line in a quotation or list

/// What a document says about its paragraphs.
struct DocumentTraits {
  bool mdx = false;                        ///< braces are expressions of JavaScript
  bool tables = false;  ///< it may have tables, which can have captions ("Table: words" of pandoc)
  std::set<std::string> definitions = {};  ///< the names of its targets of links, in small letters
};

/// Adds what a paragraph, whose lines are not blank, has of these extensions. `offset`: its place in the document, in
/// which the places are that are added. Takes a time that grows with the paragraph.
void find_extensions(std::string_view paragraph, size_t offset, const DocumentTraits& traits,
                     MarkdownExtensions& found);

}  // namespace ventris::markup
