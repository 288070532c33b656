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
      const size_t row = begin_of_row(begin, end);
      move(begin, row);
      divide(row, end);
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
  /// Where a part is: in a link, in an element of a program, or in none.
  enum class Place { kOutside, kProgram, kLink };

  /// What a tag or sign begins or ends.
  Place kind_of(const Part& part) const {
    if (part.link != 0) return Place::kLink;
    const std::string_view tag = raw(part);
    if (!tag.starts_with('<')) return Place::kOutside;
    const size_t begin = tag.starts_with("</") ? 2 : 1;
    const std::string_view name = tag.substr(begin, tag.find_first_of(" \t\r\n/>", begin) - begin);
    if (name == "a" || name == "A") return Place::kLink;
    return is_element_of_program(name) ? Place::kProgram : Place::kOutside;
  }
  /// Whether a link, or outside of links an element of a program, begins here.
  bool begins(Place place, const Part& part) const {
    const bool opens = part.kind == Part::Kind::kMark && part.mark == Mark::Kind::kOpen;
    return opens && kind_of(part) != Place::kOutside && kind_of(part) >= place && place != Place::kLink;
  }
  /// The place behind this part. Only its own end ends a link.
  Place behind(Place place, const Part& part) const {
    if (begins(place, part)) return kind_of(part);
    const bool closes = part.kind == Part::Kind::kMark && part.mark == Mark::Kind::kClose;
    return closes && kind_of(part) == place ? Place::kOutside : place;
  }

  /// Where the row begins with which this block ends; `end` if there is none.
  size_t begin_of_row(size_t begin, size_t end) const {
    Place place = Place::kOutside;
    bool letters = false, apart = false, whole = true;  // whole: no pair of marks begins before the row and ends in it
    int64_t links = 0, open = 0;  // marks
    size_t row = begin;
    for (size_t i = begin; i < end; ++i) {
      const Part& part = parts_[i];
      const Place next = behind(place, part);
      if (begins(place, part)) letters = false;
      if (place != Place::kOutside && next == Place::kOutside) links += letters ? 1 : 0;
      place = next;
      const bool mark = part.kind == Part::Kind::kMark;
      if (mark) open += part.mark == Mark::Kind::kOpen ? 1 : part.mark == Mark::Kind::kClose ? -1 : 0;
      if (part.kind != Part::Kind::kText) continue;
      const bool outside = place == Place::kOutside;
      if (outside && !has_letters(part.text)) apart = apart || has_separator(part.text);
      if (!has_letters(part.text)) continue;
      letters = true;
      if (!outside) continue;
      row = i + 1;
      links = 0;
      whole = open == 0;
      apart = ends_apart(part.text);
    }
    return links > 1 && (row == begin || (apart && whole)) ? row : end;
  }
  static bool has_separator(std::string_view text) { return text.find('|') != std::string_view::npos || has_dot(text); }
  static bool has_dot(std::string_view text) {
    return text.find("\u00B7") != std::string_view::npos || text.find("\u2022") != std::string_view::npos;
  }
  /// Whether a text ends with a sign behind which links are no part of its sentence.
  static bool ends_apart(std::string_view text) {
    text = text.substr(0, text.find_last_not_of(" \t\r\n\u00A0") + 1);
    return !text.empty() && (std::string_view(".:!?|").find(text.back()) != std::string_view::npos ||
                             text.ends_with("\u00B7") || text.ends_with("\u2022"));
  }

  void move(size_t begin, size_t end) {
    const auto first = parts_.begin() + static_cast<std::ptrdiff_t>(begin);
    std::move(first, first + static_cast<std::ptrdiff_t>(end - begin), std::back_inserter(divided_));
  }
  void divide(size_t begin, size_t end) {
    Place place = Place::kOutside;
    for (size_t i = begin; i < end; ++i) {
      Part& part = parts_[i];
      const Place next = behind(place, part);
      if (begins(place, part)) divided_.push_back({{part.range.begin, part.range.begin}, Part::Kind::kKept});
      const bool outside = place == Place::kOutside && next == Place::kOutside;
      if (outside) part = {.range = part.range, .kind = Part::Kind::kKept, .start_tag = part.start_tag};
      divided_.push_back(std::move(part));
      place = next;
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
