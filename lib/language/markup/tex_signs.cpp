#include "markup/tex_signs.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <string>

#include "markup/characters.h"
#include "markup/text_cursor.h"

namespace ventris::markup {

bool has_tex(std::string_view text, std::string_view signs) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (signs.find(text[i]) != std::string_view::npos) return true;
    if (text[i] != '\\') continue;
    if (++i < text.size() && is_letter(text[i])) return true;
  }
  return false;
}

bool has_words(std::string_view text) {
  size_t letters = 0, most = 2;
  for (size_t at = 0; at < text.size();) {
    const UChar32 c = next_character(text, at);
    const bool letter = u_isalpha(c) != 0;
    if (!letter) most = c == ' ' ? 1 : 2;
    letters = letter ? letters + 1 : 0;
    if (letters > most) return true;
  }
  return false;
}

bool has_words_in_formula(std::string_view formula) {
  constexpr std::array<std::string_view, 32> kFunctions{"log",    "ln",     "exp",    "sin", "cos", "tan", "cot", "sec",
                                                        "arcsin", "arccos", "arctan", "max", "min", "sup", "inf", "lim",
                                                        "det",    "dim",    "ker",    "gcd", "lcm", "mod", "arg", "deg",
                                                        "tr",     "rank",   "var",    "Var", "cov", "Cov", "sgn", "Pr"};
  constexpr size_t kMostCapitals = 4;
  std::string rest(formula);
  for (size_t at = 0, end = 0; at < rest.size(); at = end + 1) {
    end = at;
    while (end < rest.size() && is_letter(rest[end])) ++end;
    const std::string_view word = formula.substr(at, end - at);
    const bool capitals =
        word.size() <= kMostCapitals && word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string_view::npos;
    const bool known = capitals || std::ranges::find(kFunctions, word) != kFunctions.end();
    if (known) std::fill_n(rest.begin() + static_cast<std::ptrdiff_t>(at), word.size(), ' ');
  }
  return has_words(rest);
}

bool may_follow_word(std::string_view formula, char before) {
  if (formula.empty()) return false;
  const bool variable = formula.size() == 1 && is_letter(formula.front()) && is_digit_byte(before);
  return variable || std::string_view("^_\\").find(formula.front()) != std::string_view::npos;
}

bool is_shell_variable(std::string_view text, size_t at) {
  constexpr size_t kShortest = 4, kLongest = 100;
  if (at >= text.size() || text[at] != '{') return false;
  const std::string_view name = text.substr(at, kLongest);
  const size_t end = name.find('}');
  if (end == std::string_view::npos || end + 1 < kShortest || name.substr(end + 1).starts_with('$')) return false;
  const std::string_view inside = name.substr(1, end - 1);
  const auto is_part = [](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '\\'; };
  const bool command = inside.find('\\') != std::string_view::npos && inside.find("\\_") == std::string_view::npos;
  return is_letter(inside.front()) && !command && std::ranges::all_of(inside, is_part) &&
         !name.substr(end + 1).starts_with('_') && !name.substr(end + 1).starts_with('^');
}

bool is_formula_environment(std::string_view name) {
  constexpr std::array<std::string_view, 9> kNames{"equation", "align",  "aligned", "gather", "multline",
                                                   "eqnarray", "matrix", "cases",   "split"};
  name.remove_suffix(name.ends_with('*') ? 1 : 0);
  return std::ranges::count(kNames, name) > 0;
}

}  // namespace ventris::markup
