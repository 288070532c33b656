#include "markup/tex_signs.h"

#include <algorithm>
#include <array>

#include "markup/characters.h"

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
  for (const char c : text) {
    const bool letter = is_letter(c) || static_cast<signed char>(c) < 0;
    if (!letter) most = c == ' ' ? 1 : 2;
    letters = letter ? letters + 1 : 0;
    if (letters > most) return true;
  }
  return false;
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
