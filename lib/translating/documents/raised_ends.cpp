#include "documents/raised_ends.h"

#include <string>

#include "markup/block_builder.h"

namespace ventris::documents {
namespace {

using markup::Mark;

/// Whether the two marks are the tags of an element of this name.
bool are_tags_of(std::string_view name, const Mark& open, const Mark& close) {
  const std::string start = "<" + std::string(name);
  return open.kind == Mark::Kind::kOpen && close.kind == Mark::Kind::kClose &&
         (open.raw == start + ">" || open.raw.starts_with(start + " "));
}

}  // namespace

std::vector<size_t> raised_ends(std::string_view text, const std::vector<Mark>& marks) {
  std::vector<size_t> found;
  for (size_t i = 0; i + 1 < marks.size(); ++i) {
    const Mark &open = marks[i], &close = marks[i + 1];
    const bool apart = i > 0 && marks[i - 1].at == open.at && marks[i - 1].kind == Mark::Kind::kClose;
    if (apart) continue;  // "<a>Prices</a><sup>New</sup>"
    if (!are_tags_of("sup", open, close) && !are_tags_of("sub", open, close)) continue;
    if (!markup::ends_word(text.substr(0, open.at), text.substr(open.at, close.at - open.at))) continue;
    found.push_back(i);
    found.push_back(++i);
  }
  return found;
}

}  // namespace ventris::documents
