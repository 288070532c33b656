#include "formats/properties.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/ascii.h"
#include "formats/value_writer.h"
#include "markup/parsing_limits.h"
#include "markup/text_cursor.h"
#include "markup/unicode_escapes.h"

namespace ventris::formats {
namespace {

constexpr std::string_view kBlanks = " \t\f";

/// A value as it is written behind its key.
std::string escaped_value(std::string_view text, bool ascii) {
  std::string written;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    const UChar32 c = markup::next_character(text, at);
    switch (c) {
      case '\n': written += "\\n"; break;
      case '\r': written += "\\r"; break;
      case '\t': written += "\\t"; break;
      case '\f': written += "\\f"; break;
      case '\\': written += "\\\\"; break;
      case ' ': written += begin == 0 ? "\\ " : " "; break;
      default:
        if (ascii && c >= 0x80) {
          markup::append_unicode_escape(written, static_cast<char32_t>(c));
        } else {
          written += text.substr(begin, at - begin);
        }
    }
  }
  return written;
}

class PropertiesReader {
 public:
  PropertiesReader(const std::string& document, ValueWriter& writer, markup::MarkedDocument& result)
      : document_(document),
        writer_(writer),
        result_(result),
        limits_(document),
        lines_(lines_with_carriage_returns(document, size_of_byte_order_mark(document))),
        ascii_(core::is_ascii(document)) {}

  void read() {
    while (next_ < lines_.size()) {
      const size_t first = next_++;
      const ByteRange line = lines_[first];
      const size_t begin = document_.find_first_not_of(kBlanks, line.begin);
      if (begin >= line.end || document_[begin] == '#' || document_[begin] == '!') continue;
      size_t last = first;
      while (continues(lines_[last]) && next_ < lines_.size()) last = next_++;
      limits_.count(begin);
      add(begin, lines_[last].end, static_cast<int64_t>(first) + 1);
    }
  }

 private:
  /// Whether the line ends with an odd number of backslashes.
  bool continues(ByteRange line) const {
    size_t end = line.end;
    while (end > line.begin && document_[end - 1] == '\\') --end;
    return (line.end - end) % 2 == 1;
  }
  /// The byte behind an escape or character; behind a line end, also behind the white space of the next line.
  size_t after(size_t at, size_t end) const {
    if (document_[at] != '\\' || at + 1 >= end) return at + 1;
    ++at;
    if (document_[at] == '\r' && at + 1 < end && document_[at + 1] == '\n') ++at;
    if (document_[at] != '\n' && document_[at] != '\r') return at + 1;
    return std::min(document_.find_first_not_of(kBlanks, at + 1), end);
  }
  size_t after_blanks(size_t at, size_t end) const {
    for (;;) {
      at = std::min(document_.find_first_not_of(kBlanks, at), end);
      const std::string_view rest = std::string_view(document_).substr(at, end - at);
      if (!rest.starts_with("\\\n") && !rest.starts_with("\\\r")) return at;
      at = after(at, end);
    }
  }

  /// A key and its value.
  void add(size_t begin, size_t end, int64_t line) {
    constexpr std::string_view kEnds = "=: \t\f";
    size_t at = begin;
    while (at < end && kEnds.find(document_[at]) == std::string_view::npos) at = after(at, end);
    at = after_blanks(at, end);
    if (at < end && (document_[at] == '=' || document_[at] == ':')) at = after_blanks(at + 1, end);
    writer_.add(
        {at, end}, value({at, end}, line), line,
        [ascii = ascii_](const std::string& written) { return escaped_value(written, ascii); }, result_);
  }
  std::string value(ByteRange range, int64_t line) const {
    std::string text;
    for (size_t at = range.begin; at < range.end;) {
      if (document_[at] != '\\' || at + 1 >= range.end) {
        if (document_[at] != '\\') text += document_[at];
        ++at;
        continue;
      }
      const char sign = document_[at + 1];
      if (sign == 'u') {
        at = markup::read_unicode_escape(std::string_view(document_).substr(0, range.end), at + 2, 'u', text);
        if (at == std::string_view::npos) {
          fail<markup::MarkupError>("line ", line,
                                    ": expected four hexadecimal digits behind \\u, and both halves of a "
                                    "surrogate pair");
        }
        continue;
      }
      const size_t next = after(at, range.end);
      constexpr std::string_view kLetters = "nrtf", kSigns = "\n\r\t\f";
      const size_t letter = kLetters.find(sign);
      if (letter != std::string_view::npos) {
        text += kSigns[letter];
      } else if (sign != '\n' && sign != '\r') {
        text += sign;
        at = at + 2;
        continue;
      }
      at = next;
    }
    return text;
  }

  const std::string& document_;
  ValueWriter& writer_;
  markup::MarkedDocument& result_;
  markup::ParsingLimits limits_;
  std::vector<ByteRange> lines_;
  const bool ascii_;
  size_t next_ = 0;
};

}  // namespace

markup::MarkedDocument parse_properties(const std::string& document) {
  markup::MarkedDocument result;
  const auto writer = std::make_shared<ValueWriter>(document, true);
  result.writer = writer;
  PropertiesReader(document, *writer, result).read();
  return result;
}

}  // namespace ventris::formats
