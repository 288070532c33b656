#include "markup/edits.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ventris::markup {

void Edits::add(ByteRange range, std::string text) {
  auto place = all_.end();
  while (place != all_.begin() && std::prev(place)->range.begin > range.begin) --place;
  all_.insert(place, {range, std::move(text)});
}

void Edits::replace(ByteRange range, std::string text) {
  while (!all_.empty() && all_.back().range.begin >= range.begin) all_.pop_back();
  all_.push_back({range, std::move(text)});
}

std::string Edits::apply(std::string_view document, ByteRange range) const {
  std::string written;
  size_t done = range.begin;
  auto edit = std::ranges::lower_bound(all_, range.begin, {}, [](const Edit& one) { return one.range.begin; });
  for (; edit != all_.end() && edit->range.end <= range.end; ++edit) {
    written.append(document, done, edit->range.begin - done);
    written += edit->text;
    done = edit->range.end;
  }
  return written.append(document, done, range.end - done);
}

}  // namespace ventris::markup
