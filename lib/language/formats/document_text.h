#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

/// The bytes of a file as text.
namespace ventris::formats {

using text::ByteRange;

/// U+FEFF at the beginning of a file.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// How many bytes it takes at the beginning of this file; 0 = there is none.
inline size_t size_of_byte_order_mark(std::string_view document) {
  return document.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
}

/// White space inside a line.
inline constexpr std::string_view kSpaces = " \t";

/// What to do about a file that is not UTF-8.
inline constexpr std::string_view kUsualAdvice = "convert the file to UTF-8";

/// Throws MarkupError, with the line, for text in UTF-16 or UTF-32, and for bytes that are not UTF-8; `advice` is the
/// end of that message.
void check_text(std::string_view document, std::string_view advice = kUsualAdvice);

/// The lines of a document from byte `begin` on, without LF or CR LF at their ends. A last line that is empty is none.
std::vector<ByteRange> lines_of(std::string_view document, size_t begin = 0);

/// The same for a kind of document whose lines may also end with CR alone.
std::vector<ByteRange> lines_with_carriage_returns(std::string_view document, size_t begin);

/// The line end that the document has first; a line feed if it has none.
std::string_view line_end_of(std::string_view document);

/// The part of a document.
inline std::string_view part_of(std::string_view document, ByteRange range) {
  return document.substr(range.begin, range.end - range.begin);
}

/// The range without these signs, such as kSpaces, at its ends.
inline ByteRange without_ends(std::string_view document, ByteRange range, std::string_view signs) {
  while (range.begin < range.end && signs.find(document[range.begin]) != std::string_view::npos) ++range.begin;
  while (range.end > range.begin && signs.find(document[range.end - 1]) != std::string_view::npos) --range.end;
  return range;
}

/// Counts the lines of places that come one behind the other.
class LineCounter {
 public:
  explicit LineCounter(std::string_view document) : document_(document) {}
  /// From 1, of this byte, which is not before that of the last call.
  int64_t line_of(size_t at);

 private:
  std::string_view document_;
  size_t at_ = 0;
  int64_t line_ = 1;
};

/// A part of a text for messages: at most 40 bytes of the first line.
std::string shown(std::string_view text);

/// The document with other texts in these places, which are sorted and do not overlap.
struct Replacement {
  ByteRange range;
  std::string text;
};
std::string replaced(std::string_view document, const std::vector<Replacement>& replacements);

}  // namespace ventris::formats
