#include "formats/groff_escapes.h"

#include <algorithm>
#include <array>

#include "markup/characters.h"

namespace ventris::formats {
namespace {

constexpr size_t kLongestName = 30;

/// Special characters with names of two letters (groff_char(7)) that manual pages have.
constexpr std::array<std::string_view, 50> kCharacters{
    "aq", "dq", "lq", "rq", "oq", "cq", "Bq", "bq", "Fo", "Fc", "fo", "fc", "em", "en", "hy", "bu", "co",
    "rg", "tm", "rs", "sl", "ba", "bb", "ha", "ti", "at", "sh", "Do", "Eu", "Po", "Ye", "ct", "ga", "aa",
    "mi", "pl", "mu", "di", "+-", "de", "sc", "ps", "dg", "dd", "sq", "OK", "->", "<-", ">=", "<="};

/// Those whose lines are text, or that stand alone (groff_man(7), mdoc(7)).
constexpr std::array<std::string_view, 71> kRequests{
    "SH", "SS", "TP", "PP", "LP", "P",  "IP", "HP", "RS", "RE", "B",  "I",  "BR", "BI", "IR", "IB", "RB", "RI",
    "R",  "SM", "SB", "TH", "TQ", "UR", "UE", "MT", "ME", "EX", "EE", "SY", "YS", "OP", "nh", "hy", "br", "sp",
    "nf", "fi", "ad", "na", "in", "ti", "ne", "de", "ds", "ie", "el", "if", "so", "Nm", "Fl", "Ar", "Op", "Pa",
    "Xr", "Sh", "Ss", "Pp", "It", "Bl", "El", "Dd", "Dt", "Os", "Nd", "Ns", "Ql", "Dq", "Sq", "Li", "Em"};

constexpr std::array<std::string_view, 10> kQuotationMarks{"lq", "rq", "oq", "cq", "aq", "dq", "Fo", "Fc", "fo", "fc"};

bool is_word_byte(char c) { return markup::is_alnum_byte(c) || c == '_'; }
bool is_of_run(char c) { return is_word_byte(c) || std::string_view("-./=").find(c) != std::string_view::npos; }

class GroffFinder {
 public:
  explicit GroffFinder(std::string_view text) : text_(text) {}

  std::vector<ByteRange> find() {
    for (size_t at = 0; at < text_.size();) {
      const bool line_begins = at == 0 || text_[at - 1] == '\n';
      size_t end = line_begins ? end_of_request(at) : at;
      if (end == at) end = end_of_font(at);
      if (end > at) found_.push_back({at, end});
      at = end > at ? end : is_of_run(text_[at]) || end_of_escape(at) > at ? take_run(at) : at + 1;
    }
    return std::move(found_);
  }

  /// The end of a font alone, "\fB"; `at` if there is none.
  size_t end_of_font_name(size_t at) const {
    constexpr std::string_view kFonts = "BIRPCSH1234";
    const bool letter = at + 2 < text_.size() && kFonts.find(text_[at + 2]) != std::string_view::npos;
    if (is_at(at + 2, "(")) return at + 5 <= text_.size() ? at + 5 : at;
    return letter ? at + 3 : is_at(at, "\\f[]") ? at + 4 : end_of_name(at, 2);
  }

 private:
  // All of these return `at` if nothing ends.

  /// ".nh", ".SH", and a comment with its line
  size_t end_of_request(size_t at) const {
    if (is_at(at, ".\\\"") || is_at(at, "'\\\"")) return std::min(text_.find('\n', at), text_.size());
    const size_t end = std::min(text_.find_first_of(" \n", at), text_.size());
    return is_groff_request(text_.substr(at, end - at)) ? end : at;
  }

  /// "\fB", "\s-2", "\m[blue]"; of a font with a word that is no text, with the next one: "\fI/etc/hosts\fR"
  size_t end_of_font(size_t at) const {
    if (is_at(at, "\\s")) {
      const size_t digit = at + (is_at(at + 2, "-") || is_at(at + 2, "+") ? 3 : 2);
      return digit < text_.size() && text_[digit] >= '0' && text_[digit] <= '9' ? digit + 1 : at;
    }
    if (is_at(at, "\\m[")) return end_of_name(at, 2);
    const size_t end = is_at(at, "\\f") ? end_of_font_name(at) : at;
    if (end == at) return at;
    const size_t next = std::min(text_.find_first_of("\\ \t\n", end), text_.size());
    const std::string_view word = text_.substr(end, next - end);
    const bool is_text = std::ranges::all_of(word, markup::is_alnum_byte);
    const size_t last = !is_text && is_at(next, "\\f") ? end_of_font_name(next) : next;
    return last > next ? last : end;
  }

  /// Of a character or string: "\-", "\(co", "\[em]", "\*(Aq", "\*[a]"
  size_t end_of_escape(size_t at) const {
    if (!is_at(at, "\\")) return at;
    const std::string_view name = text_.substr(std::min(at + 2, text_.size()), 2);
    if (is_at(at, "\\(")) return std::ranges::find(kCharacters, name) != kCharacters.end() ? at + 4 : at;
    if (is_at(at, "\\*(")) return at + 5 <= text_.size() ? at + 5 : at;
    if (is_at(at, "\\*[")) return end_of_name(at, 2);
    if (is_at(at, "\\[")) return end_of_name(at, 1);
    const char sign = at + 1 < text_.size() ? text_[at + 1] : '\n';
    const bool backslash = sign == 'e' && (at + 2 == text_.size() || !is_word_byte(text_[at + 2]));
    return backslash || std::string_view("-&|^~:%/,.`' ").find(sign) != std::string_view::npos ? at + 2 : at;
  }
  /// "[name]", which begins so many bytes behind `at`
  size_t end_of_name(size_t at, size_t before) const {
    const size_t begin = at + before;
    if (!is_at(begin, "[")) return at;
    const size_t end =
        text_.substr(0, std::min(begin + kLongestName, text_.size())).find_first_of("[]\\ \n", begin + 1);
    return end != std::string_view::npos && text_[end] == ']' && (end > begin + 1 || before == 2) ? end + 1 : at;
  }

  /// Takes the escapes of a run of letters, signs and escapes, or all of it if one is inside of a word or begins an
  /// option.
  size_t take_run(size_t begin) {
    std::vector<ByteRange> escapes;
    bool whole = false;
    size_t end = begin;
    for (size_t next = end; end < text_.size(); end = next) {
      next = end_of_font(end) > end ? end : end_of_escape(end);
      if (next > end) escapes.push_back({end, next});
      if (next == end && is_of_run(text_[end])) ++next;
      if (next == end) break;
      const bool inside = !escapes.empty() && escapes.back().end == end && is_word_byte(text_[end]);
      const size_t escape = inside ? escapes.back().begin : 0;
      whole = whole || (inside && (is_at(escape, "\\-") || (escape > begin && is_word_byte(text_[escape - 1]))));
    }
    size_t last = end;
    while (last > begin && text_[last - 1] == '.' && (escapes.empty() || last > escapes.back().end)) --last;
    if (whole) escapes = {{begin, last}};
    found_.insert(found_.end(), escapes.begin(), escapes.end());
    return std::max(end, begin + 1);
  }

  bool is_at(size_t at, std::string_view sign) const {
    return text_.substr(std::min(at, text_.size())).starts_with(sign);
  }

  std::string_view text_;
  std::vector<ByteRange> found_;
};

}  // namespace

bool is_of_manual_pages(std::string_view catalogue) {
  constexpr std::array<std::string_view, 13> kSigns{"\\\\fB",      "\\\\fI",      "\\\\fR",     "\\\\fP",  "\\\\f[",
                                                    "\\\\f(",      "\\\\(co",     "\\\\(aq",    "\\\\(em", "\\\\(bu",
                                                    "#. type: SH", "#. type: TH", "#. type: TP"};
  return std::ranges::any_of(kSigns,
                             [&](std::string_view sign) { return catalogue.find(sign) != std::string_view::npos; });
}

bool is_groff_font(std::string_view escape) {
  return escape.starts_with("\\f") && GroffFinder(escape).end_of_font_name(0) == escape.size();
}

bool is_groff_quotation_mark(std::string_view escape) {
  const bool two_letters = escape.size() == 4 && escape.starts_with("\\(");
  const bool brackets = escape.size() == 5 && escape.starts_with("\\[") && escape.ends_with(']');
  return (two_letters || brackets) && std::ranges::find(kQuotationMarks, escape.substr(2, 2)) != kQuotationMarks.end();
}

bool is_groff_request(std::string_view code) {
  return code.starts_with('.') && std::ranges::find(kRequests, code.substr(1)) != kRequests.end();
}

std::vector<ByteRange> groff_escapes_in(std::string_view text) {
  const bool may_have =
      text.find('\\') != std::string_view::npos || text.starts_with('.') || text.find("\n.") != std::string_view::npos;
  return may_have ? GroffFinder(text).find() : std::vector<ByteRange>();
}

}  // namespace ventris::formats
