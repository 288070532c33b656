#include "formats/po_entries.h"

#include <algorithm>
#include <array>
#include <utility>

#include "markup/markup.h"
#include "markup/parsing_limits.h"
#include "markup/text_cursor.h"
#include "text/valid_utf8.h"

namespace ventris::formats {
namespace {

using markup::MarkupError;

constexpr std::array<std::pair<char, char>, 10> kEscapes{{{'n', '\n'},
                                                          {'t', '\t'},
                                                          {'r', '\r'},
                                                          {'"', '"'},
                                                          {'\\', '\\'},
                                                          {'a', '\a'},
                                                          {'b', '\b'},
                                                          {'f', '\f'},
                                                          {'v', '\v'},
                                                          {'?', '?'}}};
constexpr size_t kWidth = 77;  // characters of a line between the quotation marks, as gettext's tools write them

bool is_octal(char c) { return c >= '0' && c <= '7'; }

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

class PoReader {
 public:
  explicit PoReader(std::string_view document)
      : document_(document), limits_(document), lines_(lines_of(document, size_of_byte_order_mark(document))) {}

  std::vector<PoEntry> read() {
    for (const ByteRange& line : lines_) {
      ++number_;
      read_line(line);
    }
    finish();
    return std::move(entries_);
  }

 private:
  template <typename... Parts>
  [[noreturn]] void refuse(const Parts&... parts) const {
    fail<MarkupError>("line ", number_, ": ", parts...);
  }

  void read_line(ByteRange line) {
    line.begin = std::min(document_.find_first_not_of(kSpaces, line.begin), line.end);
    const std::string_view text = part_of(document_, line);
    if (text.empty()) return;
    if (text.front() == '#') {
      read_comment(line);
    } else if (text.front() == '"') {
      if (open_ == nullptr) refuse("a text without a keyword, expected msgid or msgstr in front of it");
      read_texts(line);
    } else {
      read_statement(line);
    }
  }
  void read_comment(ByteRange line) {
    if (!entry_.translations.empty()) finish();
    const std::string_view text = part_of(document_, line);
    if (text.starts_with("#~")) {
      finish_open();
      if (!entry_.id) begin_entry();  // the flags were those of the obsolete one
      return;
    }
    if (text.starts_with("#,") && !entry_.flags) entry_.flags = {line.begin + 2, line.end};
    if (text.starts_with("#|")) note_place(line.begin);
  }
  void note_place(size_t at) {
    if (!has_place_) entry_.flag_place = at;
    has_place_ = true;
  }

  void read_statement(ByteRange line) {
    const std::string_view text = part_of(document_, line);
    const size_t end = std::min(text.find_first_of(" \t\""), text.size());
    const std::string_view word = text.substr(0, end);
    limits_.count(line.begin);
    if (word == "msgctxt" || word == "msgid" || word == "domain") {
      if (!entry_.translations.empty()) finish();
      note_place(line.begin);
    }
    if (word == "msgctxt") entry_.has_context = true;
    if (word == "msgid") {
      if (entry_.id) refuse("a second msgid, expected msgstr");
      entry_.line = number_;
      open_ = &entry_.id.emplace();
    } else if (word == "msgid_plural") {
      if (!entry_.id || entry_.plural) refuse("msgid_plural without msgid in front of it");
      open_ = &entry_.plural.emplace();
    } else if (word == "msgstr" || word.starts_with("msgstr[")) {
      open_translation(word);
    } else if (word == "msgctxt" || word == "domain") {
      open_ = &other_;
    } else {
      refuse("expected msgid, msgstr, a comment or a text in quotation marks, found '", shown(text), "'");
    }
    *open_ = {{line.begin, line.begin + end}, {}};
    line.begin = std::min(document_.find_first_not_of(kSpaces, line.begin + end), line.end);
    if (line.begin == line.end) refuse("no text in quotation marks behind ", word);
    read_texts(line);
  }
  void open_translation(std::string_view word) {
    if (!entry_.id) refuse(word, " without msgid in front of it");
    const std::string expected =
        entry_.is_plural() ? "msgstr[" + std::to_string(entry_.translations.size()) + "]" : "msgstr";
    const bool second = !entry_.is_plural() && !entry_.translations.empty();
    if (second || word != expected) refuse("expected ", second ? "msgid" : expected, ", found ", word);
    open_ = &entry_.translations.emplace_back();
  }

  /// Texts in quotation marks, up to the end of the line.
  void read_texts(ByteRange line) {
    size_t at = line.begin;
    while (at < line.end) {
      if (document_[at] != '"')
        refuse("expected a text in quotation marks, found '", shown(part_of(document_, {at, line.end})), "'");
      at = read_text(at + 1, line.end);
      open_->range.end = at;
      at = std::min(document_.find_first_not_of(kSpaces, at), line.end);
    }
    if (!text::is_valid_utf8(open_->text)) refuse("an escape is not UTF-8");
  }
  /// Returns the byte behind its quotation mark.
  size_t read_text(size_t at, size_t end) {
    std::string& text = open_->text;
    while (at < end && document_[at] != '"') {
      if (document_[at] == '\\' && at + 1 < end) {
        at = read_escape(at + 1, end, text);
      } else {
        text += document_[at++];
      }
    }
    if (at == end) refuse("the text has no quotation mark at its end");
    return at + 1;
  }
  size_t read_escape(size_t at, size_t end, std::string& text) const {
    const char sign = document_[at];
    int code = 0;
    if (is_octal(sign)) {
      size_t last = at;
      for (; last < end && last < at + 3 && is_octal(document_[last]); ++last)
        code = code * 8 + (document_[last] - '0');
      text += static_cast<char>(code);
      return last;
    }
    if (sign == 'x' && at + 1 < end && hex_digit(document_[at + 1]) >= 0) {
      size_t last = at + 1;
      for (; last < end && last < at + 3 && hex_digit(document_[last]) >= 0; ++last) {
        code = code * 16 + hex_digit(document_[last]);
      }
      text += static_cast<char>(code);
      return last;
    }
    const auto* const escape = std::ranges::find(kEscapes, sign, &std::pair<char, char>::first);
    if (escape == kEscapes.end()) refuse("unknown escape \\", sign);
    text += escape->second;
    return at + 1;
  }

  void finish_open() {
    if (entry_.id && entry_.translations.empty()) refuse("the entry of line ", entry_.line, " has no msgstr");
    open_ = nullptr;
  }
  void finish() {
    finish_open();
    if (entry_.id) entries_.push_back(std::move(entry_));
    begin_entry();
  }
  void begin_entry() {
    entry_ = {};
    has_place_ = false;
  }

  std::string_view document_;
  markup::ParsingLimits limits_;
  std::vector<ByteRange> lines_;
  std::vector<PoEntry> entries_;
  PoEntry entry_;
  PoText other_;
  PoText* open_ = nullptr;  // what the next line of text belongs to
  bool has_place_ = false;
  int64_t number_ = 0;
};

std::string escaped(std::string_view text) {
  std::string written;
  for (const char c : text) {
    const auto* const escape = std::ranges::find(kEscapes, c, &std::pair<char, char>::second);
    if (escape == kEscapes.end() || c == '?') {
      written += c;
    } else {
      written += {'\\', escape->first};
    }
  }
  return written;
}

/// How much of a line belongs into one text: up to the last space before its width. `last`: the last byte of the line
/// that is no space.
size_t end_of_part(std::string_view line, size_t last) {
  size_t at = 0, space = 0;
  for (size_t width = 0; at < line.size() && (width < kWidth || space == 0); ++width) {
    const size_t begin = at;
    markup::next_character(line, at);
    if (line[begin] == ' ' && at <= last) space = at;
  }
  return at == line.size() || space == 0 ? line.size() : space;
}

}  // namespace

std::vector<PoEntry> read_po(std::string_view document) { return PoReader(document).read(); }

std::string write_po(std::string_view keyword, std::string_view text, std::string_view line_end) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const std::string line = escaped(text.substr(begin, end - begin));
    const size_t last = line.find_last_not_of(' ');
    for (size_t done = 0; done < line.size();) {
      const bool spaces = last == std::string::npos || last <= done;
      const std::string_view rest = std::string_view(line).substr(done);
      parts.emplace_back(rest.substr(0, spaces ? rest.size() : end_of_part(rest, last - done)));
      done += parts.back().size();
    }
    begin = end;
  }
  std::string written = std::string(keyword) + " ";
  if (parts.size() <= 1) return written + '"' + (parts.empty() ? "" : parts.front()) + '"';
  written += "\"\"";
  for (const std::string& part : parts) written.append(line_end).append("\"").append(part).append("\"");
  return written;
}

}  // namespace ventris::formats
