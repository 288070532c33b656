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

/// Whether a line has only what a delimiter row may have, in quotations, too.
bool may_be_delimiter_row(std::string_view line);

/// What GitHub's specification allows in and around tables, but the parser of Markdown does not: delimiter rows without
/// a pipe, or with less than three characters in a cell ("|-|:-:|"), text directly above the head, and code, HTML, a
/// formula or a heading directly below the last row. The parser gets a copy of the document in which these rows are
/// longer, and empty lines are above and below the table. Whether a row belongs to a table is known only after parsing:
/// rows that turn out to be text are dropped, and the document is parsed again. In the same way, code directly below a
/// block of HTML gets an empty line above it, because the parser would take it for a paragraph.
class DelimiterRows {
 public:
  /// Finds the lines that look like such rows and stand below a line with as many cells.
  explicit DelimiterRows(std::string_view document);

  /// The document with all rows that were not dropped in their longer form.
  std::string widened();

  /// The parser says that these bytes of the last result of widened() are text, of a paragraph or of code or HTML.
  void note_text(ByteRange range, bool in_paragraph);

  /// The line that begins at this byte of the last result of widened() is the first one of such code.
  void note_code(size_t line);

  /// Drops the rows that are text. Those in a paragraph first get another chance: the parser ends the paragraph above
  /// the head of their table. Also adds the lines that note_code() asks for. Whether anything
  /// has changed.
  bool drop_text();

  /// Drops all rows.
  void clear() { rows_.clear(); }

  /// The place in the document of this place in the last result of widened(), which is in no row.
  size_t place(size_t at) const;

 private:
  struct Row {
    /// The lines are empty: above the head of a table, below a table, and above code.
    enum class Kind { kDelimiters, kLineAbove, kLineBelow, kLineAboveCode };
    ByteRange range;
    std::string longer;
    Kind kind = Kind::kDelimiters;
    ByteRange head = {};  // of kDelimiters: the line with the head of its table if text is above it; otherwise empty
    ByteRange wide = {};  // where it is in the last result of widened()
    bool is_text = false, in_paragraph = false;
  };
  size_t first_behind(size_t at) const;
  Row empty_line(Row::Kind kind, ByteRange line) const;

  std::string_view document_;
  std::vector<Row> rows_;
  std::vector<Row> added_;  // by note_code()
};

}  // namespace ventris::markup
