#include "markup/tildes.h"

#include <algorithm>
#include <array>
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
    constexpr std::string_view kSigns = "~`\\\n";
    for (size_t at = text_.find_first_of(kSigns); at < text_.size(); at = text_.find_first_of(kSigns, at)) {
      switch (text_[at]) {
        case '\\': at += 2; break;
        case '`': at = behind_code(at); break;
        case '\n': at = behind_line(at); break;
        default: at = behind_tildes(at);
      }
    }
    forget();
    return std::move(text_);
  }

 private:
  /// Behind the code that begins here and ends in the same paragraph, or else behind its backticks.
  size_t behind_code(size_t at) {
    const size_t begin = at + run_of(text_, at, "`");
    if (paragraph_end_ < begin) paragraph_end_ = std::min(text_.find("\n\n", begin), text_.size());
    const size_t size = begin - at;
    if (size < looked_for_.size() && looked_for_[size] >= begin) return begin;
    for (size_t end = text_.find('`', begin); end < paragraph_end_;) {
      const size_t run = run_of(text_, end, "`");
      if (run == size) return end + run;
      end = text_.find('`', end + run);
    }
    if (size < looked_for_.size()) looked_for_[size] = paragraph_end_;
    return begin;
  }
  /// Behind a line end; an empty line ends a paragraph.
  size_t behind_line(size_t at) {
    const size_t next = at + 1 + run_of(text_, at + 1, " \t\r>");
    if (next >= text_.size() || text_[next] == '\n') forget();
    return at + 1;
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
  std::optional<size_t> open_;
  size_t paragraph_end_ = 0;
  std::array<size_t, 4> looked_for_{};  // up to where no backticks of this number are
};

}  // namespace

bool may_close_tilde(std::string_view text, size_t at) {
  const UChar32 before = character_before(text, at), next = character_at(text, at + 1);
  if (is_blank(before) || is_range_sign(text, at)) return false;
  return !is_punctuation(before) || is_blank(next) || is_punctuation(next);
}

std::string with_plain_tildes(std::string document) { return Tildes(std::move(document)).write(); }

}  // namespace ventris::markup
