#include "formats/apple_strings.h"

#include <memory>
#include <utility>

#include "formats/value_writer.h"
#include "markup/parsing_limits.h"
#include "markup/unicode_escapes.h"

namespace ventris::formats {
namespace {

using markup::MarkupError;

std::string escaped_string(const std::string& text) {
  std::string written;
  for (const char c : text) {
    switch (c) {
      case '\n': written += "\\n"; break;
      case '\r': written += "\\r"; break;
      case '\t': written += "\\t"; break;
      case '"':
      case '\\': written += {'\\', c}; break;
      default: written += c;
    }
  }
  return written;
}

class StringsReader {
 public:
  StringsReader(const std::string& document, ValueWriter& writer, markup::MarkedDocument& result)
      : document_(document),
        writer_(writer),
        result_(result),
        limits_(document),
        lines_(document),
        at_(size_of_byte_order_mark(document)) {}

  void read() {
    for (skip(); at_ < document_.size(); skip()) {
      limits_.count(at_);
      const int64_t line = lines_.line_of(at_);
      std::string value;
      read_word(value);
      skip();
      ByteRange range{at_, at_};
      bool quoted = false;
      if (take('=')) {
        skip();
        quoted = at_ < document_.size() && document_[at_] == '"';
        range = read_word(value);
        skip();
      }
      if (!take(';')) refuse("expected ; behind the text of line " + std::to_string(line));
      if (quoted) writer_.add(range, value, line, escaped_string, result_);
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& message) {
    const std::string found = at_ < document_.size()
                                  ? ", found '" + shown(std::string_view(document_).substr(at_)) + "'"
                                  : ", but the file ends";
    fail<MarkupError>("line ", lines_.line_of(std::min(at_, document_.size())), ": ", message, found);
  }
  bool take(char sign) {
    if (at_ >= document_.size() || document_[at_] != sign) return false;
    ++at_;
    return true;
  }
  /// White space and comments.
  void skip() {
    for (;;) {
      at_ = std::min(document_.find_first_not_of(" \t\r\n\f\v", at_), document_.size());
      const std::string_view rest = std::string_view(document_).substr(at_, 2);
      if (rest == "//") {
        at_ = std::min(document_.find('\n', at_), document_.size());
      } else if (rest == "/*") {
        const size_t end = document_.find("*/", at_ + 2);
        if (end == std::string::npos) refuse("expected */ at the end of a comment");
        at_ = end + 2;
      } else {
        return;
      }
    }
  }

  /// A key or value, in quotation marks or a single word. Its place, without the quotation marks.
  ByteRange read_word(std::string& text) {
    text.clear();
    if (!take('"')) {
      const size_t begin = at_;
      at_ = std::min(document_.find_first_of(" \t\r\n=;\"/", at_), document_.size());
      if (at_ == begin) refuse("expected a text in quotation marks");
      text = document_.substr(begin, at_ - begin);
      return {begin, at_};
    }
    const size_t begin = at_;
    while (at_ < document_.size() && document_[at_] != '"') {
      if (document_[at_] == '\\' && at_ + 1 < document_.size()) {
        read_escape(text);
      } else {
        text += document_[at_++];
      }
    }
    const size_t end = at_;
    if (!take('"')) {
      at_ = begin - 1;
      fail<MarkupError>("line ", lines_.line_of(at_), ": the text has no quotation mark at its end");
    }
    return {begin, end};
  }
  void read_escape(std::string& text) {
    const char sign = document_[at_ + 1];
    if (sign == 'U' || sign == 'u') {
      const size_t end = markup::read_unicode_escape(document_, at_ + 2, sign, text);
      if (end == std::string_view::npos) refuse("expected four hexadecimal digits in an escape");
      at_ = end;
      return;
    }
    constexpr std::string_view kLetters = "nrtabfv", kSigns = "\n\r\t\a\b\f\v";
    const size_t letter = kLetters.find(sign);
    text += letter == std::string_view::npos ? sign : kSigns[letter];
    at_ += 2;
  }

  const std::string& document_;
  ValueWriter& writer_;
  markup::MarkedDocument& result_;
  markup::ParsingLimits limits_;
  LineCounter lines_;
  size_t at_;
};

}  // namespace

markup::MarkedDocument parse_apple_strings(const std::string& document) {
  markup::MarkedDocument result;
  const auto writer = std::make_shared<ValueWriter>(document);
  result.writer = writer;
  StringsReader(document, *writer, result).read();
  return result;
}

}  // namespace ventris::formats
