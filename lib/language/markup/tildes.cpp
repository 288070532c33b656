#include "markup/tildes.h"

#include <algorithm>
#include <map>
#include <optional>

#include "markup/characters.h"
#include "markup/text_cursor.h"

namespace ventris::markup {
namespace {

constexpr size_t kNoTilde = std::string_view::npos;

bool is_of_range(UChar32 c) { return is_cjk(c) || (c >= '0' && c <= '9'); }

bool is_currency(UChar32 c) { return c >= 0 && u_charType(c) == U_CURRENCY_SYMBOL; }

bool is_blank(UChar32 c) { return c < 0 || is_space(c); }

/// Punctuation and symbols, as GitHub's specification has them.
bool is_punctuation(UChar32 c) { return c >= 0 && (u_ispunct(c) != 0 || (U_GET_GC_MASK(c) & U_GC_S_MASK) != 0); }

bool is_range_sign(std::string_view text, size_t at) {
  const UChar32 before = character_before(text, at), next = character_at(text, at + 1);
  const size_t behind = next < 0 ? text.size() : after_character(text, at + 1);
  const bool price = is_currency(next) && behind < text.size() && is_digit_byte(text[behind]);
  return (is_of_range(before) || before == '%' || is_currency(before)) && (is_of_range(next) || price);
}

bool may_open(std::string_view text, size_t at) {
  const UChar32 before = character_before(text, at), next = character_at(text, at + 1);
  if (is_blank(next) || is_range_sign(text, at)) return false;
  return !is_punctuation(next) || is_blank(before) || is_punctuation(before);
}

/// Walks over the tildes of a document.
class Tildes {
 public:
  explicit Tildes(std::string document) : text_(std::move(document)) {}

  std::string write() {
    for (size_t begin = 0; begin < text_.size();) {
      end_ = end_of_paragraph(begin);
      write_paragraph(begin);
      begin = end_;
    }
    return std::move(text_);
  }

 private:
  /// Behind the next line with nothing but blanks and signs of quotations; the end of the document if there is none.
  size_t end_of_paragraph(size_t at) const {
    for (at = text_.find('\n', at); at != std::string::npos; at = text_.find('\n', at + 1)) {
      const size_t next = at + 1 + run_of(text_, at + 1, " \t\r>");
      if (next < text_.size() && text_[next] == '\n') return next + 1;
    }
    return text_.size();
  }
  void write_paragraph(size_t at) {
    constexpr std::string_view kSigns = "~`\\";
    find_backticks(at);
    while ((at = std::min(text_.find_first_of(kSigns, at), end_)) < end_) {
      if (text_[at] == '~') {
        at = behind_tildes(at);
      } else {
        at = text_[at] == '`' ? behind_code(at) : at + 2;
      }
    }
    forget();
  }
  /// Notes the last run of backticks of each size.
  void find_backticks(size_t at) {
    last_run_.clear();
    while ((at = std::min(text_.find('`', at), end_)) < end_) {
      const size_t size = run_of(text_, at, "`");
      last_run_[size] = at;
      at += size;
    }
  }
  /// Behind the code that begins here, or else behind its backticks.
  size_t behind_code(size_t at) const {
    const size_t size = run_of(text_, at, "`");
    const auto last = last_run_.find(size);
    if (last == last_run_.end() || last->second <= at) return at + size;
    for (size_t end = text_.find('`', at + size); end < end_;) {
      const size_t run = run_of(text_, end, "`");
      if (run == size) return end + run;
      end = text_.find('`', end + run);
    }
    return at + size;
  }
  size_t behind_tildes(size_t at) {
    const size_t end = at + run_of(text_, at, "~");
    if (end - at > 1) return end;
    if (const size_t index = end_of_index(at); index != kNoTilde) {
      forget();
      return index;
    }
    if (open_ && may_close_tilde(text_, at)) {
      open_.reset();
    } else if (may_open(text_, at)) {
      forget();
      open_ = at;
    } else {
      text_[at] = ',';
    }
    return end;
  }
  /// Behind an index of pandoc that touches a word: "H~2~O".
  size_t end_of_index(size_t at) const {
    constexpr size_t kLongest = 20;
    if (at == 0 || !is_word_character(character_before(text_, at)) || is_range_sign(text_, at)) return kNoTilde;
    const std::string_view rest = std::string_view(text_).substr(at + 1, kLongest);
    const size_t size = std::min(rest.find_first_of("~ \t\r\n`\\"), rest.size());
    const bool ends = size > 0 && rest.substr(size).starts_with('~') && !rest.substr(size).starts_with("~~");
    return ends ? at + 1 + size + 1 : kNoTilde;
  }
  /// No tilde ends what the last one has opened.
  void forget() {
    if (open_) text_[*open_] = ',';
    open_.reset();
  }

  std::string text_;
  size_t end_ = 0;  // of the paragraph
  std::optional<size_t> open_;
  std::map<size_t, size_t> last_run_;  // of backticks in the paragraph, by their number
};

}  // namespace

bool may_close_tilde(std::string_view text, size_t at) {
  const UChar32 before = character_before(text, at), next = character_at(text, at + 1);
  if (is_blank(before) || is_range_sign(text, at)) return false;
  return !is_punctuation(before) || is_blank(next) || is_punctuation(next);
}

std::string with_plain_tildes(std::string document) { return Tildes(std::move(document)).write(); }

}  // namespace ventris::markup
