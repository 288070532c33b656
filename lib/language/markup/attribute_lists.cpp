#include "markup/attribute_lists.h"

#include "markup/characters.h"

namespace ventris::markup {

size_t size_of_attribute_list(std::string_view text) {
  constexpr size_t kNoPlace = std::string_view::npos;
  constexpr std::string_view kUnnumbered = "{-}", kEmpty = "{}";
  if (!text.starts_with('{')) return 0;
  if (text.starts_with(kUnnumbered)) return kUnnumbered.size();
  const size_t end = text.find_first_of("{}\n", 1);
  if (end == kNoPlace || text[end] != '}' || end <= kEmpty.size()) return 0;
  const size_t first = 1 + run_of(text, 1, " "), spaces = first - 1;
  const auto is_part_of_name = [](char c) { return is_letter(c) || c == '-' || c == '_'; };
  size_t name = first;
  while (name < end && is_part_of_name(text[name])) ++name;
  const bool attribute = name > first && text[name] == '=';
  const bool sign = std::string_view("#.:=").find(text[first]) != kNoPlace;
  const bool named = spaces == 0 || (text[first] != '=' && is_part_of_name(text[first + 1]));
  return attribute || (sign && named) ? end + 1 : 0;
}

}  // namespace ventris::markup
