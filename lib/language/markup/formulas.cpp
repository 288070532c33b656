#include "markup/formulas.h"

#include <algorithm>
#include <array>

#include "markup/attribute_lists.h"
#include "markup/delimiter_rows.h"
#include "markup/extension_finder.h"
#include "markup/tex_signs.h"
#include "markup/text_cursor.h"

namespace ventris::markup {
namespace {

constexpr std::string_view kLineBlanks = " \t\r";

/// Whether all letters are variables: they stand alone or are two capitals ("AB"), or two of any kind beside an
/// equation ("F = ma"). No text without letters.
bool has_variables(std::string_view text) {
  const bool equation = text.find('=') != std::string_view::npos;
  bool found = false, capitals = false;
  size_t letters = 0;  // in a row
  for (size_t at = 0; at < text.size();) {
    const UChar32 c = next_character(text, at);
    const bool letter = u_isalpha(c) != 0;
    capitals = letter && u_isupper(c) != 0 && (letters == 0 || capitals);
    letters = letter ? letters + 1 : 0;
    if (letters > 2 || (letters == 2 && !capitals && !equation)) return false;
    found = found || letter;
  }
  return found;
}

/// Whether the text is one or two variables ("x", "AB"), or variables with what formulas put beside them: "i = j",
/// "O(n)", "x, y", "2n", "n!". It is none with a dot behind a letter ("e.g.").
bool is_arithmetic(std::string_view text) {
  const auto has = [&](std::string_view sign) { return text.find(sign) != std::string_view::npos; };
  if (!has_words(text) && (text.find_first_of("=<>+*") != std::string_view::npos || has(" - ") || has(" / "))) {
    return true;
  }
  if (!has_variables(text)) return false;
  for (size_t at = 0; at + 1 < text.size(); ++at) {
    if (is_letter(text[at]) && text[at + 1] == '.') return false;
    if (is_digit_byte(text[at]) && is_letter(text[at + 1])) return true;
  }
  return text.find_first_of(" .-/:;&") == std::string_view::npos ||
         text.find_first_of("=(,!|") != std::string_view::npos;
}

/// Whether a line that goes on with this text may begin a block, or be the row of a table.
bool may_begin_block(std::string_view line) {
  if (line.empty() || line.front() == '|' || line.front() == '<' || size_of_list_marker(line) > 0) return true;
  constexpr std::array<std::string_view, 8> kBeginnings{"# ", "##", ": ", ":::", "~~~", "===", "!!!", "???"};
  return std::ranges::any_of(kBeginnings, [&](std::string_view sign) { return line.starts_with(sign); });
}

/// The end of a formula that has its content here and ends with this sign, in its line, or in the next one if that
/// cannot begin a block.
size_t end_of_inline(Paragraph& paragraph, size_t begin, const std::string& sign) {
  constexpr size_t kLongest = 1000;
  const std::string_view text = paragraph.text();
  const size_t end = paragraph.next_of(sign, begin), line = paragraph.end_of_line(begin);
  if (end == begin || end == text.size() || end > begin + kLongest) return kNoEnd;
  const std::string_view content = text.substr(begin, end - begin);
  if (content.find_first_not_of(kLineBlanks) == std::string_view::npos) return kNoEnd;
  if (end < line) return end + sign.size();
  if (content.find('|') != std::string_view::npos ||
      text.substr(line + 1, end - line - 1).find('\n') != std::string_view::npos)
    return kNoEnd;
  const size_t next = line + 1 + run_of(text, line + 1, kBeforeText);
  const bool block = may_begin_block(text.substr(next, std::max(end, next) - next));
  return !block && has_tex(content) ? end + sign.size() : kNoEnd;
}

/// The end of the label that begins here, behind a formula, in its line: "{#eq-x}" of Quarto, "(label)" of MyST, which
/// may be a word only if it is certain that a formula ends here. `at` if there is none.
size_t end_of_label(Paragraph& paragraph, size_t at, bool certain) {
  const std::string_view line = paragraph.text().substr(at, paragraph.end_of_line(at) - at);
  if (line.starts_with("{#")) return at + size_of_attribute_list(line);
  if (!line.starts_with('(')) return at;
  const auto is_part = [](char c) { return is_name_byte(c) || c == ':' || c == '.'; };
  const size_t end = std::find_if_not(line.begin() + 1, line.end(), is_part) - line.begin();
  const bool name = certain || line.substr(0, end).find_first_of("-_:0123456789") != std::string_view::npos;
  return name && line.substr(end).starts_with(')') ? at + end + 1 : at;
}

/// Whether the content of a formula begins and ends with a line end, in lists and quotations, too.
bool has_own_lines(std::string_view content) {
  const size_t last = content.find_last_not_of(kBeforeText);
  return content.starts_with('\n') && last != std::string_view::npos && content[last] == '\n';
}

/// The end of a formula that begins a line, if it ends one, with its label; such a formula may have several lines. If
/// its signs stand on lines of their own, text may follow the last one: "$$, where".
size_t end_of_display(Paragraph& paragraph, size_t begin, const std::string& sign) {
  const std::string_view text = paragraph.text();
  const size_t end = paragraph.next_of(sign, begin);
  if (end == text.size() || text.substr(begin, end - begin).find_first_not_of(" \t\n") == std::string_view::npos)
    return kNoEnd;
  constexpr size_t kMostBlanks = 100;
  const size_t behind = end + sign.size();
  const auto after_blanks = [&](size_t at) {
    return at + run_of(text.substr(0, std::min(text.size(), at + kMostBlanks)), at, kLineBlanks);
  };
  const bool own_lines = has_own_lines(text.substr(begin, end - begin));
  const size_t next = after_blanks(behind), label = end_of_label(paragraph, next, own_lines);
  if (paragraph.character(after_blanks(label)) != '\n') {
    const bool goes_on =
        own_lines && std::string_view(".,;:").find(paragraph.character(behind)) != std::string_view::npos;
    return goes_on ? behind : kNoEnd;
  }
  return label > next ? label : behind;
}

size_t end_of_dollars(Paragraph& paragraph, size_t at, bool line_begins) {
  constexpr std::string_view kBlanks = " \t\n";
  const std::string_view text = paragraph.text();
  const bool behind_formula = at > 1 && text[at - 1] == '/' && text[at - 2] == '$';  // "$x$/$y$"
  if (at > 0 && !behind_formula && (text[at - 1] == '/' || text[at - 1] == '$')) return kNoEnd;
  const bool touches = paragraph.word_before(at);
  if (const size_t code = touches ? kNoEnd : paragraph.end_of_code(at + 1);
      code != kNoEnd && paragraph.character(code) == '$')
    return code + 1;  // $`a`$
  if (paragraph.character(at + 1) == '$') {
    if (touches || paragraph.character(at + 2) == '$') return kNoEnd;
    const size_t display = line_begins ? end_of_display(paragraph, at + 2, "$$") : kNoEnd;
    return display != kNoEnd ? display : end_of_inline(paragraph, at + 2, "$$");
  }
  if (kBlanks.find(paragraph.character(at + 1)) != std::string_view::npos || is_shell_variable(text, at + 1))
    return kNoEnd;
  const size_t end = end_of_inline(paragraph, at + 1, "$");
  if (end == kNoEnd || text[end - 2] == '\\' || kBlanks.find(text[end - 2]) != std::string_view::npos) return kNoEnd;
  const char next = paragraph.character(end);
  const std::string_view content = text.substr(at + 1, end - at - 2);
  if (touches && !may_follow_word(content, text[at - 1])) return kNoEnd;
  const bool number = next >= '0' && next <= '9';
  if ((number && (!has_tex(content, "") || is_digit_byte(content.front()))) || next == '$') return kNoEnd;
  const bool tex = has_tex(content), words = has_words_in_formula(content);
  const bool prose = words && content.find(' ') != std::string_view::npos;
  if (is_alnum_byte(next) && (prose || (!tex && content.size() > 2))) return kNoEnd;
  return tex || !words ? end : kNoEnd;
}

/// "\begin{equation}...\end{equation}" on lines of its own.
size_t end_of_environment(Paragraph& paragraph, size_t at) {
  constexpr std::string_view kBegin = "\\begin{";
  const std::string_view text = paragraph.text();
  if (!paragraph.rest(at).starts_with(kBegin)) return kNoEnd;
  const size_t begin = at + kBegin.size(), close = std::min(text.find_first_of("}\n", begin), text.size());
  const std::string name(text.substr(begin, close - begin));
  return is_formula_environment(name) ? end_of_display(paragraph, close, "\\end{" + name + "}") : kNoEnd;
}

/// "\(...\)" and "\[...\]", also with two backslashes.
size_t end_of_brackets_of_tex(Paragraph& paragraph, size_t at, bool line_begins) {
  const std::string_view text = paragraph.text();
  const bool in_address = at > 0 && (text[at - 1] == '_' || text[at - 1] == '/');  // "https://a.b/c_\(d\)"
  const size_t sign = paragraph.rest(at).starts_with("\\\\") ? 2 : 1;
  const char open = paragraph.character(at + sign);
  if ((open != '(' && open != '[') || in_address) return kNoEnd;
  const std::string close = std::string(sign, '\\') + (open == '(' ? ')' : ']');
  const size_t begin = at + sign + 1;
  const size_t display = line_begins && open == '[' ? end_of_display(paragraph, begin, close) : kNoEnd;
  const size_t end = display != kNoEnd ? display : end_of_inline(paragraph, begin, close);
  if (end == kNoEnd || paragraph.next_of(std::string(text.substr(at, sign + 1)), begin) < end) return kNoEnd;
  const std::string_view content = text.substr(begin, end - close.size() - begin);
  if (has_tex(content, "^_")) return end;
  if (paragraph.word_before(at)) return kNoEnd;  // "file\(s\)"
  // Programs that chat write spaces inside: "\( a \)", "\( f(x) \)", and on a line of its own "\[ A \]".
  const bool spaces = content.starts_with(' ') && content.ends_with(' ');
  const bool spaced = spaces && !has_words(content) && std::ranges::any_of(content, is_letter);
  if (open == '(') return spaced || is_arithmetic(content) ? end : kNoEnd;
  const bool check_box = content == " x " || content == " X ";
  const bool alone =
      display != kNoEnd && ((spaced && !check_box) || (has_own_lines(content) && has_tex(content, "^_=<>")));
  return alone || (spaces && !check_box && is_arithmetic(content)) ? end : kNoEnd;
}

}  // namespace

size_t end_of_formula(Paragraph& paragraph, size_t at, bool line_begins) {
  if (paragraph.character(at) == '$') return end_of_dollars(paragraph, at, line_begins);
  if (paragraph.character(at) != '\\') return kNoEnd;
  const size_t end = line_begins ? end_of_environment(paragraph, at) : kNoEnd;
  return end != kNoEnd ? end : end_of_brackets_of_tex(paragraph, at, line_begins);
}

}  // namespace ventris::markup
