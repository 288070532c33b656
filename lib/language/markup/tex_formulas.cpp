#include "markup/tex_formulas.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "markup/characters.h"
#include "markup/tex_signs.h"

namespace ventris::markup {
namespace {

using text::ByteRange;

constexpr size_t kNone = std::string_view::npos;
constexpr std::string_view kBlankSigns = " \t\r\n";

bool is_blank_sign(char c) { return kBlankSigns.find(c) != kNone; }

/// "_{", or "_" behind a single letter: "a_i", but not "user_name".
bool has_index(std::string_view text) {
  for (size_t at = text.find('_'); at != kNone; at = text.find('_', at + 1)) {
    if (text.substr(at + 1).starts_with('{')) return true;
    const bool letter = at > 0 && is_letter(text[at - 1]);
    if (letter && (at == 1 || !is_alnum_byte(text[at - 2]))) return true;
  }
  return false;
}

class TexFinder {
 public:
  TexFinder(std::string_view text, TexSigns signs) : text_(text), signs_(signs) {}

  std::vector<ByteRange> find() {
    constexpr std::string_view kSigns = "\\$";
    for (size_t at = text_.find_first_of(kSigns); at != kNone; at = text_.find_first_of(kSigns, at)) {
      const bool dollar = text_[at] == '$';
      const size_t end = dollar ? end_of_dollars(at) : end_behind_backslash(at);
      if (end != kNone) found_.push_back({at, end});
      at = end != kNone ? end : dollar ? behind_dollars(at) : at + 2;
    }
    return std::move(found_);
  }

 private:
  char character(size_t at) const { return at < text_.size() ? text_[at] : '\n'; }
  std::string_view content(size_t begin, size_t end) const { return text_.substr(begin, end - begin); }
  bool word_before(size_t at) const { return at > 0 && is_alnum_byte(text_[at - 1]); }
  size_t behind_dollars(size_t at) const { return std::min(text_.find_first_not_of('$', at), text_.size()); }

  /// Where a sign comes next; npos if what is before it is blank or too long.
  size_t end_of_content(const std::string& sign, size_t begin) {
    constexpr size_t kLongest = 5000;
    const size_t end = next_of(sign, begin);
    if (end == kNone || end - begin > kLongest) return kNone;
    return content(begin, end).find_first_not_of(kBlankSigns) == kNone ? kNone : end;
  }
  /// Each place is looked for once.
  size_t next_of(const std::string& sign, size_t at) {
    size_t& last = next_.try_emplace(sign, 0).first->second;
    if (last == 0 || (last != kNone && last < at)) last = text_.find(sign, at);
    return last;
  }

  size_t end_behind_backslash(size_t at) {
    const size_t slashes = character(at + 1) == '\\' ? 2 : 1;
    const char open = character(at + slashes);
    if (open == '(' || open == '[') return end_of_brackets(at, slashes);
    return slashes == 1 ? end_of_environment(at) : kNone;
  }

  /// "\(a\)", "\[a\]", also with two backslashes
  size_t end_of_brackets(size_t at, size_t slashes) {
    const size_t begin = at + slashes + 1;
    const std::string close = std::string(slashes, '\\') + (text_[begin - 1] == '(' ? ')' : ']');
    const size_t end = end_of_content(close, begin);
    if (end == kNone || next_of(std::string(content(at, begin)), begin) < end) return kNone;
    const std::string_view inside = content(begin, end);
    const bool certain = slashes == 1 && !word_before(at) && (signs_.brackets || !has_words(inside));
    return certain || has_tex(inside) ? end + close.size() : kNone;
  }

  /// "\begin{equation}...\end{equation}"
  size_t end_of_environment(size_t at) {
    constexpr std::string_view kBegin = "\\begin{";
    constexpr size_t kLongestName = 20;
    if (!text_.substr(at).starts_with(kBegin)) return kNone;
    const std::string_view rest = text_.substr(at + kBegin.size(), kLongestName);
    const std::string name(rest.substr(0, rest.find('}')));
    if (!is_formula_environment(name)) return kNone;
    const std::string close = "\\end{" + name + "}";
    const size_t end = end_of_content(close, at + kBegin.size());
    return end == kNone ? kNone : end + close.size();
  }

  size_t end_of_dollars(size_t at) {
    const size_t signs = behind_dollars(at) - at;
    if (signs == 1) return end_of_inline_formula(at + 1);
    return signs == 2 && !word_before(at) ? end_of_display(at + 2) : kNone;
  }

  /// Of what has its content here and ends with "$$".
  size_t end_of_display(size_t begin) {
    const size_t end = end_of_content("$$", begin);
    if (end == kNone || character(end + 2) == '$') return kNone;
    const std::string_view inside = content(begin, end);
    const bool variables = !has_words(inside) && std::ranges::any_of(inside, is_alnum_byte);
    return variables || has_tex(inside, "^_") ? end + 2 : kNone;
  }

  /// Of what has its content here and ends with "$".
  size_t end_of_inline_formula(size_t begin) {
    const size_t end = end_of_content("$", begin);
    if (end == kNone || is_blank_sign(text_[begin]) || is_blank_sign(text_[end - 1]) || text_[end - 1] == '\\')
      return kNone;
    const bool behind_formula = begin > 2 && text_[begin - 3] == '$';  // "$x$/$y$"
    if (is_shell_variable(text_, begin) || (begin > 1 && text_[begin - 2] == '/' && !behind_formula)) return kNone;
    const std::string_view inside = content(begin, end);
    if (word_before(begin - 1) && !may_follow_word(inside, text_[begin - 2])) return kNone;
    const char next = character(end + 1);
    const bool words = has_words_in_formula(inside), command = has_tex(inside, "");
    const bool prose = words && inside.find_first_of(" \n") != kNone && !command;
    const bool price = next >= '0' && next <= '9' && (!command || is_digit_byte(inside.front()));
    if (next == '$' || price || prose || inside.find("\n\n") != kNone) return kNone;
    const bool opens = std::string_view("([\"").find(inside.back()) != kNone;  // ("$a_b", "$c")
    if (opens || (is_alnum_byte(next) && !command && (words || !signs_.dollars))) return kNone;
    const bool tex = command || inside.find('^') != kNone || has_index(inside);
    return tex || (signs_.dollars && !words) ? end + 1 : kNone;
  }

  std::string_view text_;
  TexSigns signs_;
  std::vector<ByteRange> found_;
  std::map<std::string, size_t> next_;  // where each sign comes next
};

}  // namespace

std::vector<ByteRange> tex_formulas(std::string_view text, TexSigns signs) {
  std::vector<ByteRange> found = TexFinder(text, signs).find();
  const auto has_dollar = [&](const ByteRange& range) {
    return text[range.begin] == '$' && text[range.begin + 1] != '$';
  };
  if (signs.dollars || std::ranges::none_of(found, has_dollar)) return found;
  signs.dollars = true;
  return TexFinder(text, signs).find();
}

bool loads_tex(std::string_view page) {
  constexpr std::array<std::string_view, 5> kPrograms{"MathJax", "mathjax", "KaTeX", "katex", "Mathjax"};
  const auto has = [&](std::string_view name) { return page.find(name) != kNone; };
  return has("<script") && std::ranges::any_of(kPrograms, has);
}

}  // namespace ventris::markup
