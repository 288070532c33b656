#pragma once
#include <cstddef>
#include <string_view>

namespace ventris::markup {

/// Lines that begin with a pipe, and are no table of GitHub.
enum class PipeLines {
  kNone,
  kVerse,  ///< a block of lines of pandoc: "| The dog", whose lines are texts of their own
  kCells   ///< rows of a table without a head, as kramdown has them: "| a | b |"
};

/// What the lines of the paragraph are whose text begins at this place of a document of Markdown.
PipeLines pipe_lines_at(std::string_view document, size_t place);

}  // namespace ventris::markup
