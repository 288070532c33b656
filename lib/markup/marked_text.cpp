#include "markup/marked_text.h"

#include <algorithm>
#include <cstdint>

namespace ventris::markup {
namespace {

size_t count_objects(std::string_view text) {
  size_t count = 0;
  for (size_t at = text.find(kObject); at != std::string_view::npos; at = text.find(kObject, at + kObject.size())) {
    ++count;
  }
  return count;
}

}  // namespace

void append_mark(std::string& text, std::string_view raw) {
  if (raw.starts_with('[') && text.ends_with('!')) text.insert(text.size() - 1, 1, '\\');
  text += raw;
}

MarkedText MarkedText::slice(ByteRange range) const {
  MarkedText part{text.substr(range.begin, range.end - range.begin)};
  for (const Mark& mark : marks) {
    if (mark.at <= range.begin || mark.at >= range.end) continue;
    part.marks.push_back(mark);
    part.marks.back().at -= range.begin;
  }
  const auto first =
      objects.begin() + static_cast<int64_t>(count_objects(std::string_view(text).substr(0, range.begin)));
  part.objects.assign(first, first + static_cast<int64_t>(count_objects(part.text)));
  return part;
}

std::string MarkedText::raw(ByteRange range, const Escape& escape) const {
  std::string raw;
  size_t object = count_objects(std::string_view(text).substr(0, range.begin)), done = range.begin;
  const auto write_until = [&](size_t end) {
    while (done < end) {
      const std::string_view rest = std::string_view(text).substr(done, end - done);
      const size_t length = std::min(rest.find(kObject), rest.size());
      raw += escape ? escape(rest.substr(0, length)) : std::string(rest.substr(0, length));
      done += length;
      if (done == end) break;
      raw += objects[object++];
      done += kObject.size();
    }
  };
  for (const Mark& mark : marks) {
    if (mark.at < range.begin || mark.at > range.end) continue;
    write_until(mark.at);
    append_mark(raw, mark.raw);
  }
  write_until(range.end);
  return raw;
}

void MarkedText::hide(ByteRange range, const Escape& escape) {
  const size_t before = count_objects(std::string_view(text).substr(0, range.begin));
  const std::string hidden = text.substr(range.begin, range.end - range.begin);
  objects.insert(objects.begin() + static_cast<int64_t>(before), escape ? escape(hidden) : hidden);
  text.replace(range.begin, range.end - range.begin, kObject);
  for (Mark& mark : marks) {
    if (mark.at > range.begin) mark.at = mark.at + kObject.size() + range.begin - range.end;
  }
}

}  // namespace ventris::markup
