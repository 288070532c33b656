#include "markup/inline_extensions.h"

#include <algorithm>
#include <array>

#include "markup/jsx_tags.h"

namespace ventris::markup {
namespace {

constexpr std::string_view kBlanksInText = " \t\r";
constexpr size_t kLongestCode = 2000;

bool is_decimal(char c) { return c >= '0' && c <= '9'; }

template <typename IsPart>
size_t end_of_name_of(const Paragraph& paragraph, size_t at, const IsPart& is_part) {
  while (is_part(paragraph.character(at))) ++at;
  return at;
}

/// Where the braces that begin here end.
size_t end_of_braces_at(const Paragraph& paragraph, size_t at, BraceEffort& effort) {
  const size_t most = std::min({kLongestCode, effort.left, paragraph.text().size() - at});
  const size_t size = end_of_balanced_braces(paragraph.rest(at), 0, most);
  effort.left -= size == kNoEnd ? most : size;
  return size == kNoEnd ? kNoEnd : at + size;
}

/// Behind the last argument in braces of those in braces and brackets that touch each other; `at` if there is none.
size_t end_of_arguments(const Paragraph& paragraph, size_t at, BraceEffort& effort) {
  constexpr size_t kMost = 9;  // as TeX has them
  size_t end = at, last = at;  // brackets behind the last braces may be text, also a note ("[^1]")
  for (size_t i = 0; i < kMost; ++i) {
    const char open = paragraph.character(end);
    if (open != '{' && (open != '[' || paragraph.character(end + 1) == '^')) break;
    const std::string_view text = paragraph.text();
    const size_t close = open == '{' ? end_of_braces_at(paragraph, end, effort) : text.find_first_of("]\n[{", end + 1);
    if (close == kNoEnd || (open == '[' && text[close] != ']')) break;
    end = open == '{' ? close : close + 1;
    if (open == '{') last = end;
  }
  return last;
}

/// Commands that need no arguments.
bool is_known_command(std::string_view name) {
  constexpr std::array<std::string_view, 40> kKnown{
      "LaTeX",         "TeX",         "ldots",       "dots",       "noindent",     "indent",
      "bigskip",       "medskip",     "smallskip",   "hfill",      "vfill",        "newline",
      "linebreak",     "pagebreak",   "newpage",     "clearpage",  "quad",         "qquad",
      "centering",     "raggedright", "par",         "maketitle",  "appendix",     "cleardoublepage",
      "blandscape",    "elandscape",  "tiny",        "scriptsize", "footnotesize", "small",
      "normalsize",    "large",       "Large",       "LARGE",      "huge",         "Huge",
      "textbackslash", "nopagebreak", "frontmatter", "mainmatter"};
  return std::ranges::find(kKnown, name) != kKnown.end();
}

/// "\@ref(fig:a)" of bookdown
size_t end_of_book_reference(const Paragraph& paragraph, size_t at) {
  constexpr std::string_view kSign = "\\@ref(";
  if (!paragraph.rest(at).starts_with(kSign)) return kNoEnd;
  const auto is_part = [](char c) { return is_name_byte(c) || c == ':' || c == '.'; };
  const size_t end = end_of_name_of(paragraph, at + kSign.size(), is_part);
  return paragraph.character(end) == ')' ? end + 1 : kNoEnd;
}

/// Where "\begin{name}...\end{name}" ends.
size_t end_of_lines_of_tex(Paragraph& paragraph, size_t name, size_t name_end) {
  constexpr int kMostInside = 50;  // other environments
  constexpr size_t kLongest = 10'000;
  const std::string_view text = paragraph.text(), wanted = text.substr(name, name_end - name);
  size_t end = name_end;
  for (int i = 0; i < kMostInside; ++i) {
    end = paragraph.next_of("\\end{", end);
    if (end == text.size() || end > name_end + kLongest) return kNoEnd;
    end += std::string_view("\\end").size();
    if (paragraph.rest(end).starts_with(wanted)) return end + wanted.size();
  }
  return kNoEnd;
}

/// Whether what is between braces cannot be a text: a name with a point, a call, arithmetic, or a function.
bool is_javascript_value(std::string_view inside) {
  bool sign = inside.find("=>") != kNoEnd;
  for (size_t at = 1; at + 1 < inside.size(); ++at) {
    const bool behind_name = is_name_byte(inside[at - 1]) || inside[at - 1] == ']' || inside[at - 1] == ')';
    const bool between = behind_name && is_letter(inside[at + 1]);
    sign = sign || (inside[at] == '.' && between) || (inside[at] == '(' && is_name_byte(inside[at - 1]));
    const bool space = inside[at] == ' ' || inside[at] == '\n';
    if (space && is_letter(inside[at - 1]) && is_letter(inside[at + 1])) return false;  // two words
  }
  return sign;
}

/// Whether a word ends before this place, or a sign that a name may have.
bool is_inside_name(const Paragraph& paragraph, size_t at) {
  return at > 0 && (is_name_byte(paragraph.text()[at - 1]) ||
                    std::string_view("./@#:=&?%\\").find(paragraph.text()[at - 1]) != kNoEnd);
}

}  // namespace

size_t end_of_tex(Paragraph& paragraph, size_t at, bool line_begins, BraceEffort& effort) {
  constexpr size_t kShortest = 2;
  if (paragraph.character(at) != '\\' || (at > 0 && paragraph.text()[at - 1] == ':')) return kNoEnd;
  if (paragraph.character(at + 1) == '@') return end_of_book_reference(paragraph, at);
  size_t end = end_of_name_of(paragraph, at + 1, is_letter);
  const std::string_view name = paragraph.text().substr(at + 1, end - at - 1);
  if (name.size() < kShortest) return kNoEnd;
  if (paragraph.character(end) == '*') ++end;
  const size_t behind = end_of_arguments(paragraph, end, effort);
  if (name == "begin" && behind > end) return end_of_lines_of_tex(paragraph, end, paragraph.text().find('}', end) + 1);
  if (behind > end) return behind;
  if (paragraph.word_before(at)) return kNoEnd;
  const char next = paragraph.character(end);
  if (is_name_byte(next) || next == '\\') return kNoEnd;
  const bool fills = line_begins && paragraph.character(end + run_of(paragraph.text(), end, kBlanksInText)) == '\n';
  return fills || is_known_command(name) ? end : kNoEnd;
}

size_t end_of_expression(const Paragraph& paragraph, size_t at, bool mdx, BraceEffort& effort) {
  const size_t end = end_of_braces_at(paragraph, at, effort);
  if (end == kNoEnd || end <= at + 2) return kNoEnd;
  return mdx || is_javascript_value(paragraph.text().substr(at + 1, end - at - 2)) ? end : kNoEnd;
}

size_t end_of_keys(const Paragraph& paragraph, size_t at) {
  constexpr std::string_view kSign = "++";
  constexpr std::array<std::string_view, 26> kAlone{
      "ctrl",   "alt",    "shift",   "enter",     "tab",     "esc",    "escape",  "space", "del",
      "delete", "insert", "home",    "end",       "up",      "down",   "left",    "right", "backspace",
      "cmd",    "win",    "page-up", "page-down", "control", "option", "command", "return"};
  if (!paragraph.rest(at).starts_with(kSign) || is_inside_name(paragraph, at)) return kNoEnd;
  if (paragraph.character(at + 2) == '+' || (at > 0 && paragraph.text()[at - 1] == '+')) return kNoEnd;
  const auto is_part = [](char c) { return is_name_byte(c) || c == '+'; };
  const size_t end = end_of_name_of(paragraph, at, is_part);
  const std::string_view keys = paragraph.text().substr(at, end - at);
  if (keys.size() <= 2 * kSign.size() || !keys.ends_with(kSign)) return kNoEnd;
  const std::string_view inside = keys.substr(2, keys.size() - 4);
  const bool several = inside.find('+') != kNoEnd && !inside.starts_with('+') && !inside.ends_with('+');
  const bool numbered = inside.size() > 1 && inside[0] == 'f' && std::ranges::all_of(inside.substr(1), is_decimal);
  return several || numbered || std::ranges::find(kAlone, inside) != kAlone.end() ? end : kNoEnd;
}

size_t end_of_change(Paragraph& paragraph, size_t at) {
  constexpr size_t kSize = 3;
  constexpr std::array<std::array<const char*, 2>, 4> kPairs{
      {{"{++", "++}"}, {"{--", "--}"}, {"{==", "==}"}, {"{~~", "~~}"}}};
  const std::string_view text = paragraph.text();
  if (paragraph.rest(at).starts_with("{>>")) {
    const size_t close = paragraph.next_of("<<}", at);
    return close < text.size() ? close + kSize : kNoEnd;
  }
  for (const auto& [begin, end] : kPairs) {
    if (paragraph.rest(at).starts_with(begin)) {
      const size_t close = paragraph.next_of(end, at + kSize);
      return close < text.size() && close > at + kSize ? at + kSize : kNoEnd;
    }
    if (!paragraph.rest(at).starts_with(end)) continue;
    const size_t first = at - std::min(at, kLongestCode);
    return text.substr(first, at - first).find(begin) != kNoEnd ? at + kSize : kNoEnd;
  }
  return kNoEnd;
}

size_t end_of_block_name(Paragraph& paragraph, size_t at) {
  const bool begins = at == 0 || std::string_view(" \t\n").find(paragraph.text()[at - 1]) != kNoEnd;
  if (!begins || paragraph.character(at) != '^') return kNoEnd;
  const auto is_part = [](char c) { return is_letter(c) || is_decimal(c) || c == '-'; };
  const size_t end = end_of_name_of(paragraph, at + 1, is_part);
  const bool last = paragraph.character(end + run_of(paragraph.text(), end, kBlanksInText)) == '\n';
  return end > at + 1 && last ? end : kNoEnd;
}

size_t end_of_tag_path(const Paragraph& paragraph, size_t at) {
  const bool begins = at == 0 || std::string_view(" \t\n").find(paragraph.text()[at - 1]) != kNoEnd;
  if (!begins || !is_letter(paragraph.character(at + 1))) return kNoEnd;
  const auto is_part = [](char c) { return is_name_byte(c) || c == '/'; };
  const size_t end = end_of_name_of(paragraph, at + 1, is_part);
  const std::string_view tag = paragraph.text().substr(at, end - at);
  return tag.find('/') != kNoEnd && !tag.ends_with('/') ? end : kNoEnd;
}

size_t end_of_issue(const Paragraph& paragraph, size_t at) {
  if (is_inside_name(paragraph, at)) return kNoEnd;
  const auto is_part = [](char c) { return is_letter(c) || is_decimal(c) || c == '-' || c == '_' || c == '.'; };
  const size_t owner = end_of_name_of(paragraph, at, is_part);
  if (owner == at || paragraph.character(owner) != '/') return kNoEnd;
  const size_t name = end_of_name_of(paragraph, owner + 1, is_part);
  if (name == owner + 1 || paragraph.character(name) != '#') return kNoEnd;
  const size_t end = end_of_name_of(paragraph, name + 1, is_decimal);
  return end > name + 1 && !is_alnum_byte(paragraph.character(end)) ? end : kNoEnd;
}

size_t end_of_commit(const Paragraph& paragraph, size_t at) {
  constexpr size_t kShortest = 7, kLongest = 40, kLeastDigits = 2;
  if (is_inside_name(paragraph, at)) return kNoEnd;
  const auto is_part = [](char c) { return is_decimal(c) || (c >= 'a' && c <= 'f'); };
  const size_t end = end_of_name_of(paragraph, at, is_part);
  const std::string_view number = paragraph.text().substr(at, end - at);
  if (number.size() < kShortest || number.size() > kLongest || is_name_byte(paragraph.character(end))) return kNoEnd;
  const auto digits = static_cast<size_t>(std::ranges::count_if(number, is_decimal));
  return digits >= kLeastDigits && digits < number.size() ? end : kNoEnd;
}

}  // namespace ventris::markup
