#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "documents/sentences.h"
#include "markup/marked_text.h"
#include "markup/markup.h"

namespace ventris::documents {

using markup::Escape;
using markup::MarkedText;

/// What the model translates at a time.
struct Segment {
  std::string before;   ///< what is kept between the segment before and this one
  MarkedText sentence;  ///< without white space around it
  bool part = false;    ///< of a sentence that is too long for the model
  int64_t line = 1;     ///< in the whole text
  size_t begin = 0;     ///< its first byte in the text that was cut
  markup::Escaping escaping = markup::Escaping::kDocument;
};

/// A text in segments, and what is kept after the last one.
struct CutText {
  std::vector<Segment> segments;
  std::string after;
};

/// How a text is cut.
struct Cutting {
  const SentenceSplitter* splitter = nullptr;           ///< null: the whole text is one segment, unless it is blank
  std::function<bool(std::string_view sentence)> fits;  ///< whether the model can translate a sentence at once
  bool columns = false;                                 ///< white space may be between columns (columns_of)
  Escape escape = {};                                   ///< for what is kept; empty: nothing is escaped
};

/// The columns of a line, or of several: a tab or five spaces divide them, and so do three spaces if what is before
/// them ends a sentence or with a colon, or if a capital letter or "(" follows. In a line that begins with "-", two are
/// enough. Objects are a part of their column.
std::vector<ByteRange> columns_of(const MarkedText& text, ByteRange part);

/// Divides a text where its markup says so (divided()), with `columns` between these, into sentences, and those that do
/// not fit into parts. Everything else is kept: `before` of each segment, the segments and `after` are the whole text
/// again.
CutText cut_text(const MarkedText& text, const Cutting& cutting);

/// What stands between two translations: `kept`, which stood between the sources, or a space if there was nothing, as
/// in Chinese, but the languages of both translations put spaces between sentences.
std::string gap_between(std::string_view left, const std::string& kept, std::string_view right);

}  // namespace ventris::documents
