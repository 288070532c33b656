#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace ventris::markup {

using text::ByteRange;

/// The size of the marker at the beginning of a list item, with the spaces behind it; 0: none.
size_t size_of_list_marker(std::string_view line);

/// The delimiter rows of tables ("|-|:-:|") that GitHub's specification allows, but the parser of Markdown does not
/// take for such: it wants a pipe in a row, three characters in a cell, and no text above the head of the table. The
/// parser gets a copy of the document in which these rows are longer. Whether a
/// row belongs to a table is known only after parsing: rows that turn out to be text are dropped, and the document is
/// parsed again.
class DelimiterRows {
 public:
  /// Finds the lines that look like such rows and stand below a line with as many cells.
  explicit DelimiterRows(std::string_view document);

  /// The document with all rows that were not dropped in their longer form.
  std::string widened();

  /// The parser says that these bytes of the last result of widened() are text, of a paragraph or of code or HTML.
  void note_text(ByteRange range, bool in_paragraph);

  /// Drops the rows that are text. Those in a paragraph first get another chance: the parser ends the paragraph above
  /// the head of their table. Whether anything has changed.
  bool drop_text();

  /// Drops all rows.
  void clear() { rows_.clear(); }

  /// The place in the document of this place in the last result of widened(), which is in no row.
  size_t place(size_t at) const;

 private:
  struct Row {
    ByteRange range;
    std::string longer;
    ByteRange wide = {};  // where it is in the last result of widened()
    bool is_text = false, in_paragraph = false;
    ByteRange head = {};   // the line with the head of its table if there is text above it; otherwise empty
    bool is_gap = false;   // an empty line above the head of the table of the next row
  };
  size_t first_behind(size_t at) const;
  Row gap_above(ByteRange head) const;

  std::string_view document_;
  std::vector<Row> rows_;
};

}  // namespace ventris::markup
