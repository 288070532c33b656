#include "office/docx_fields.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "core/ascii.h"

namespace ventris::office {
namespace {

using Kind = Item::Kind;

bool has_text(const Item& item) {
  return item.kind == Kind::kText || item.kind == Kind::kObject || std::ranges::any_of(item.inside, has_text);
}

/// Whether no element has only one half among the items.
bool is_closed(const std::vector<Item>& items, size_t begin, size_t end) {
  int64_t depth = 0;
  for (size_t i = begin; i < end && depth >= 0; ++i) {
    depth += (items[i].kind == Kind::kOpen ? 1 : 0) - (items[i].kind == Kind::kClose ? 1 : 0);
  }
  return depth == 0;
}

/// Makes one item of items [begin, end). Their texts are no texts any more.
void join(std::vector<Item>& items, size_t begin, size_t end, Kind kind, size_t pair) {
  Item whole{kind};
  whole.pair = pair;
  const auto first = items.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto last = items.begin() + static_cast<std::ptrdiff_t>(end);
  whole.inside.assign(std::make_move_iterator(first), std::make_move_iterator(last));
  items.erase(first + 1, last);
  items[begin] = std::move(whole);
}

}  // namespace

bool is_translated_field(std::string_view code) {
  code.remove_prefix(std::min(code.find_first_not_of(" \t\r\n"), code.size()));
  const std::string name = core::in_lower_case(code.substr(0, code.find_first_of(" \t\r\n\\\"")));
  constexpr std::array<std::string_view, 6> kTranslated{"hyperlink", "ref", "toc", "quote", "index", "formtext"};
  return std::ranges::find(kTranslated, name) != kTranslated.end();
}

void end_field(const Field& field, size_t pair, std::vector<Item>& items) {
  const size_t end = items.size();
  if (field.begin + 1 >= end || !is_closed(items, field.begin, end)) return;
  if (!is_translated_field(field.code) || field.separator <= field.begin) {
    const bool seen = std::any_of(items.begin() + static_cast<std::ptrdiff_t>(field.begin), items.end(), has_text);
    return join(items, field.begin, end, seen ? Kind::kObject : Kind::kAlone, 0);
  }
  if (!is_closed(items, field.begin, field.separator + 1)) return;
  items.back().pair = pair;
  join(items, field.begin, field.separator + 1, Kind::kAlone, pair);
}

void end_fields(const std::vector<Field>& fields, std::vector<Item>& items) {
  for (auto field = fields.rbegin(); field != fields.rend(); ++field) {
    const size_t end = field->separator > field->begin ? field->separator + 1 : items.size();
    if (is_closed(items, field->begin, end)) join(items, field->begin, end, Kind::kAlone, 0);
  }
}

}  // namespace ventris::office
