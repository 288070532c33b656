#include "markup/link_rows.h"

#include <iterator>
#include <utility>

#include "markup/characters.h"
#include "markup/html.h"

namespace ventris::markup {
namespace {

using Parts = std::vector<Part>;

class LinkRows {
 public:
  LinkRows(std::string_view document, Parts parts) : document_(document), parts_(std::move(parts)) {}

  Parts divided() {
    for (size_t begin = 0; begin < parts_.size();) {
      const size_t end = end_of_block(begin);
      is_row(begin, end) ? divide(begin, end) : move(begin, end);
      begin = end;
    }
    return std::move(divided_);
  }

 private:
  size_t end_of_block(size_t begin) const {
    size_t end = begin + 1;
    const auto goes_on = [&] {
      return parts_[end].kind != Part::Kind::kKept && parts_[end].range.begin == parts_[end - 1].range.end;
    };
    while (end < parts_.size() && parts_[end - 1].kind != Part::Kind::kKept && goes_on()) ++end;
    return end;
  }

  std::string_view raw(const Part& part) const {
    return document_.substr(part.range.begin, part.range.end - part.range.begin);
  }
  bool opens_link(const Part& part) const {
    if (part.kind != Part::Kind::kMark || part.mark != Mark::Kind::kOpen) return false;
    return part.link != 0 || has_own_text(raw(part), 1);
  }
  bool closes_link(const Part& part) const {
    if (part.kind != Part::Kind::kMark || part.mark != Mark::Kind::kClose) return false;
    return part.link != 0 || has_own_text(raw(part), 2);
  }
  /// Whether a tag of HTML, whose name begins at this byte, is that of a link or of a program's own element.
  static bool has_own_text(std::string_view tag, size_t begin) {
    if (!tag.starts_with('<')) return false;
    const std::string_view name = tag.substr(begin, tag.find_first_of(" \t\r\n/>", begin) - begin);
    return name == "a" || name == "A" || is_element_of_program(name);
  }

  bool is_row(size_t begin, size_t end) const {
    bool inside = false, letters = false;
    int64_t links = 0;
    for (size_t i = begin; i < end; ++i) {
      const Part& part = parts_[i];
      if (opens_link(part)) {
        inside = true;
        letters = false;
      } else if (inside && closes_link(part)) {
        inside = false;
        links += letters ? 1 : 0;
      } else if (part.kind == Part::Kind::kText && has_letters(part.text)) {
        if (!inside) return false;
        letters = true;
      }
    }
    return links > 1;
  }

  void move(size_t begin, size_t end) {
    const auto first = parts_.begin() + static_cast<std::ptrdiff_t>(begin);
    std::move(first, first + static_cast<std::ptrdiff_t>(end - begin), std::back_inserter(divided_));
  }
  void divide(size_t begin, size_t end) {
    bool inside = false;
    for (size_t i = begin; i < end; ++i) {
      Part& part = parts_[i];
      const bool opens = opens_link(part), closes = inside && closes_link(part);
      if (opens) divided_.push_back({{part.range.begin, part.range.begin}, Part::Kind::kKept});
      inside = opens || (inside && !closes);
      if (!inside && !closes) part = {.range = part.range, .kind = Part::Kind::kKept, .start_tag = part.start_tag};
      divided_.push_back(std::move(part));
    }
  }

  std::string_view document_;
  Parts parts_, divided_;
};

}  // namespace

std::vector<Part> with_divided_rows(std::string_view document, std::vector<Part> parts) {
  return LinkRows(document, std::move(parts)).divided();
}

}  // namespace ventris::markup
