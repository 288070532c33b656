#include "modifiers/single_links.h"

#include <unicode/uchar.h>

#include <map>

#include "core/utf8.h"

namespace ventris::modifiers {
namespace {

bool is_word(std::string_view word) {
  const auto first = core::code_point(word.substr(0, core::utf8_unit_at(word, 0).length));
  return u_isalnum(static_cast<UChar32>(first)) != 0;
}

}  // namespace

text::Links single_links(const text::Links& links, const std::vector<std::string_view>& source,
                         const std::vector<std::string_view>& target) {
  std::map<int32_t, int> of_source, of_target;
  for (const text::Link& link : links) {
    ++of_source[link.source];
    ++of_target[link.target];
  }
  text::Links found;
  for (const text::Link& link : links) {
    const auto s = static_cast<size_t>(link.source), t = static_cast<size_t>(link.target);
    if (of_source[link.source] > 1 || of_target[link.target] > 1 || s >= source.size() || t >= target.size()) continue;
    if (is_word(source[s]) && is_word(target[t])) found.push_back(link);
  }
  return found;
}

}  // namespace ventris::modifiers
