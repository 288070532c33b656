#include "markup/marked_text.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "markup/text_cursor.h"

namespace ventris::markup {
namespace {

using Marks = std::vector<const Mark*>;

/// The first of the marks or objects that is at this byte or behind it.
template <typename Items>
auto first_from(Items& items, size_t at) {
  return std::ranges::lower_bound(items, at, {}, [](const auto& item) { return item.at; });
}

/// Bytes [begin, end) as they are written, with their objects and these marks.
std::string written(const MarkedText& from, ByteRange range, const Marks& marks, const Escape& escape) {
  std::string raw;
  auto object = first_from(from.objects, range.begin);
  size_t done = range.begin;
  const auto write_text = [&](size_t end) {
    const std::string_view part = std::string_view(from.text).substr(done, end - done);
    raw += escape && !part.empty() ? escape(part) : std::string(part);
    done = end;
  };
  const auto write_until = [&](size_t end) {
    for (; object != from.objects.end() && object->at < end; ++object) {
      write_text(object->at);
      raw += object->raw;
      done += kObject.size();
    }
    write_text(end);
  };
  for (const Mark* mark : marks) {
    write_until(mark->at);
    append_mark(raw, mark->raw);
  }
  write_until(range.end);
  return raw;
}

/// Marks [first, last).
struct MarkNumbers {
  size_t first = 0, last = 0;
};

/// The marks between the first and the last byte of the range, and those at its ends that belong to them; from the mark
/// `least` on.
MarkNumbers marks_inside(const std::vector<Mark>& marks, const std::vector<size_t>& partners, ByteRange range,
                         size_t least) {
  const auto number = [&](size_t at) { return static_cast<size_t>(first_from(marks, at) - marks.begin()); };
  const MarkNumbers inside{number(range.begin + 1), std::max(number(range.begin + 1), number(range.end))};
  MarkNumbers numbers = inside;
  const auto is_inside = [&](size_t mark) {
    return partners[mark] != kNoPartner && partners[mark] >= inside.first && partners[mark] < inside.last;
  };
  for (size_t i = inside.first; i-- > least && marks[i].at == range.begin;) {
    if (marks[i].kind == Mark::Kind::kOpen && is_inside(i)) numbers.first = i;
  }
  for (size_t i = inside.last; i < marks.size() && marks[i].at == range.end; ++i) {
    if (marks[i].kind == Mark::Kind::kClose && is_inside(i)) numbers.last = i + 1;
  }
  return numbers;
}

/// Makes a text in which ranges of another one are objects.
class Hider {
 public:
  Hider(const MarkedText& from, const Escape& escape) : from_(from), escape_(escape), partners_(partners(from.marks)) {}

  void hide(ByteRange range) { hide(range, marks_inside(from_.marks, partners_, range, mark_)); }

  /// Makes an object of the range with these marks.
  void hide(ByteRange range, MarkNumbers limits) {
    const Marks behind = begin_hidden(range, limits);
    to_.objects.push_back({to_.text.size(), std::move(hidden_)});
    to_.text += kObject;
    end_hidden(range, limits, behind);
  }

  /// Makes a mark alone of the range with these marks, which are pairs.
  void make_mark(ByteRange range, MarkNumbers limits) {
    const Marks behind = begin_hidden(range, limits);
    Mark mark{to_.text.size(), Mark::Kind::kAlone, std::move(hidden_)};
    for (size_t i = limits.first; i < limits.last; ++i) mark.divides = mark.divides || from_.marks[i].divides;
    to_.marks.push_back(std::move(mark));
    end_hidden(range, limits, behind);
  }

  MarkedText finish() {
    copy(from_.text.size(), from_.marks.size());
    return std::move(to_);
  }

 private:
  /// Writes what is in front, and sets `hidden_`. Returns the marks that come behind what is hidden.
  Marks begin_hidden(ByteRange range, MarkNumbers limits) {
    copy(range.begin, limits.first);
    Marks inside, behind;
    for (size_t i = limits.first; i < limits.last; ++i) {
      const Mark& mark = from_.marks[i];
      const size_t other = partners_[i];
      const bool alone = mark.kind == Mark::Kind::kAlone;
      const bool whole = other == kNoPartner ? alone : other >= limits.first && other < limits.last;
      if (whole) {
        inside.push_back(&mark);
      } else if (mark.kind == Mark::Kind::kOpen || (alone && other > i)) {
        behind.push_back(&mark);
      } else {
        add_mark(mark, to_.text.size());
      }
    }
    hidden_ = written(from_, range, inside, escape_);
    return behind;
  }
  void end_hidden(ByteRange range, MarkNumbers limits, const Marks& behind) {
    for (const Mark* mark : behind) add_mark(*mark, to_.text.size());
    mark_ = limits.last;
    done_ = range.end;
    while (object_ < from_.objects.size() && from_.objects[object_].at < done_) ++object_;
  }
  void add_mark(const Mark& mark, size_t at) {
    to_.marks.push_back(mark);
    to_.marks.back().at = at;
  }
  /// The text up to this byte, and the marks before this one.
  void copy(size_t end, size_t mark_end) {
    const size_t base = to_.text.size();
    for (; mark_ < mark_end; ++mark_) add_mark(from_.marks[mark_], from_.marks[mark_].at - done_ + base);
    for (; object_ < from_.objects.size() && from_.objects[object_].at < end; ++object_) {
      to_.objects.push_back({from_.objects[object_].at - done_ + base, from_.objects[object_].raw});
    }
    to_.text.append(from_.text, done_, end - done_);
    done_ = end;
  }

  const MarkedText& from_;
  const Escape& escape_;
  const std::vector<size_t> partners_;
  MarkedText to_;
  std::string hidden_;  // as it is written
  size_t done_ = 0, mark_ = 0, object_ = 0;  // what comes next in the other text
};

constexpr size_t kLongestSign = 32;  // bytes of the signs of a pair

/// Whether a character is neither a part of a word nor punctuation of a sentence: symbols, bullets, icons of fonts.
bool is_sign(UChar32 character) {
  constexpr std::u32string_view kOthers = U"*|/\\#_~^\u2022\u00B7\u00B6\u00A7\u2020\u2021\u00A6\uFE0F";
  switch (u_charType(character)) {
    case U_MATH_SYMBOL: return character != '+' && character != '=';
    case U_MODIFIER_SYMBOL:
    case U_OTHER_SYMBOL:
    case U_FORMAT_CHAR:
    case U_PRIVATE_USE_CHAR: return true;
    default: return kOthers.find(static_cast<char32_t>(character)) != std::u32string_view::npos;
  }
}

/// Whether it is the number of a list or section, "1.", "1)", "1.2" or "1.2.", at the beginning of the text.
bool is_list_number(std::string_view text, ByteRange range) {
  if (text.find_first_not_of(" \t") != range.begin) return false;
  std::string_view number = text.substr(range.begin, range.end - range.begin);
  number = number.substr(0, number.find_last_not_of(" \t\u00A0") + 1);
  const std::string_view levels = number.substr(0, number.find_last_not_of(".)") + 1);
  const bool ends = number.size() == levels.size() + 1, several = levels.find('.') != std::string_view::npos;
  const bool digits = !levels.empty() && levels.find_first_not_of("0123456789.") == std::string_view::npos;
  return digits && levels.front() != '.' && levels.find("..") == std::string_view::npos &&
         (ends || (several && number.size() == levels.size()));
}

/// Whether these bytes are empty, signs or the number of a list. Spaces alone are not, unless there are others beside
/// them.
bool is_only_signs(std::string_view text, ByteRange range) {
  if (range.end - range.begin > kLongestSign) return false;
  if (range.begin == range.end) return true;
  const bool joins =
      u_isalnum(character_before(text, range.begin)) != 0 && u_isalnum(character_at(text, range.end)) != 0;
  if (joins) return false;  // "and/or"
  bool blank = true;
  for (size_t at = range.begin; at < range.end;) {
    const UChar32 character = next_character(text, at);
    if (character == '\n') return false;
    if (is_space(character)) continue;
    blank = false;
    if (!is_sign(character)) return is_list_number(text, range);
  }
  if (!blank) return true;
  return range.begin == 0 || range.end == text.size() || is_space(character_before(text, range.begin)) ||
         is_space(character_at(text, range.end));
}

/// Whether the object at this place is the name of an emoji: ":tada:".
bool is_emoji_name(const MarkedText& text, size_t at) {
  const auto object = first_from(text.objects, at);
  return object != text.objects.end() && object->at == at && object->raw.starts_with(':') && object->raw.ends_with(':');
}

/// The signs in front of the first word: bullets, arrows and emoji, also dashes and "*" with a space behind them. Empty
/// if there are none, or nothing comes behind them.
ByteRange leading_signs(const MarkedText& marked) {
  const std::string_view text = marked.text;
  const size_t begin = end_of_run(text, 0, is_space);
  size_t last = begin;
  for (size_t at = begin; at < text.size() && at - begin < kLongestSign;) {
    const size_t place = at;
    const UChar32 character = next_character(text, at);
    if (is_space(character) && character != '\n') continue;
    const bool dash = u_charType(character) == U_DASH_PUNCTUATION || character == '+';
    const bool before_space = is_space(character_at(text, at));
    const bool sign =
        dash || character < 0x80 ? before_space && (dash || character == '*' || character == ',') : is_sign(character);
    const bool object = character == 0xFFFC && !is_emoji_name(marked, place);
    if (!sign || object || character == 0xA7) break;  // § is that of a law
    last = at;
  }
  const bool more = end_of_run(text, last, is_space) < text.size();
  return more && u_isalnum(character_at(text, last)) == 0 ? ByteRange{begin, last} : ByteRange{begin, begin};
}

}  // namespace

std::vector<size_t> partners(const std::vector<Mark>& marks) {
  std::vector<size_t> found(marks.size(), kNoPartner), open;
  std::unordered_map<size_t, size_t> first_halves;  // by the number of their pair
  const auto join = [&](size_t first, size_t second) {
    found[first] = second;
    found[second] = first;
  };
  for (size_t i = 0; i < marks.size(); ++i) {
    if (marks[i].kind == Mark::Kind::kAlone && marks[i].pair != 0) {
      const auto [half, is_first] = first_halves.try_emplace(marks[i].pair, i);
      if (!is_first) join(half->second, i);
    }
    if (marks[i].kind == Mark::Kind::kOpen) open.push_back(i);
    if (marks[i].kind != Mark::Kind::kClose || open.empty()) continue;
    join(open.back(), i);
    open.pop_back();
  }
  return found;
}

void append_mark(std::string& text, std::string_view raw) {
  if (raw.starts_with('[') && text.ends_with('!')) {
    const size_t end = text.size() - 1;
    size_t begin = end;
    while (begin > 0 && text[begin - 1] == '\\') --begin;
    if ((end - begin) % 2 == 0) text.insert(end, 1, '\\');
  }
  text += raw;
}

MarkedText MarkedText::slice(ByteRange range) const {
  MarkedText part{text.substr(range.begin, range.end - range.begin)};
  for (auto mark = first_from(marks, range.begin + 1); mark != marks.end() && mark->at < range.end; ++mark) {
    part.marks.push_back(*mark);
    part.marks.back().at -= range.begin;
  }
  for (auto object = first_from(objects, range.begin); object != objects.end() && object->at < range.end; ++object) {
    part.objects.push_back({object->at - range.begin, object->raw});
  }
  return part;
}

std::string MarkedText::raw(ByteRange range, const Escape& escape) const {
  Marks inside;
  for (auto mark = first_from(marks, range.begin); mark != marks.end() && mark->at <= range.end; ++mark) {
    inside.push_back(&*mark);
  }
  return written(*this, range, inside, escape);
}

void MarkedText::hide(const std::vector<ByteRange>& ranges, const Escape& escape) {
  if (ranges.empty()) return;
  Hider hider(*this, escape);
  for (const ByteRange& range : ranges) hider.hide(range);
  *this = hider.finish();
}

PartCutter::PartCutter(const MarkedText& text) : text_(text), partners_(partners(text.marks)) {}

MarkedText PartCutter::part(ByteRange range) const {
  MarkedText part = text_.slice(range);
  part.marks.clear();
  const MarkNumbers inside = marks_inside(text_.marks, partners_, range, mark_);
  for (size_t i = inside.first; i < inside.last; ++i) {
    part.marks.push_back(text_.marks[i]);
    part.marks.back().at -= range.begin;
  }
  return part;
}

std::string PartCutter::written_until(size_t end, size_t mark, const Escape& escape) const {
  Marks marks;
  for (size_t i = mark_; i < mark; ++i) marks.push_back(&text_.marks[i]);
  return written(text_, {done_, end}, marks, escape);
}

std::string PartCutter::take(ByteRange range, const Escape& escape) {
  const MarkNumbers inside = marks_inside(text_.marks, partners_, range, mark_);
  std::string before = written_until(range.begin, inside.first, escape);
  mark_ = inside.last;
  done_ = range.end;
  return before;
}

std::string PartCutter::rest(const Escape& escape) const {
  return written_until(text_.text.size(), text_.marks.size(), escape);
}

void MarkedText::hide_pairs_of_objects(const Escape& escape) {
  if (objects.empty() || marks.empty()) return;
  std::vector<size_t> letters, before, divided;  // letters, objects and marks that divide, up to each mark
  size_t at = 0, count = 0, object = 0, divisions = 0;
  for (const Mark& mark : marks) {
    while (at < mark.at) count += u_isalnum(next_character(text, at)) != 0 ? 1 : 0;
    while (object < objects.size() && objects[object].at < mark.at) ++object;
    letters.push_back(count);
    before.push_back(object);
    divided.push_back(divisions += mark.divides ? 1 : 0);
  }
  const std::vector<size_t> other = partners(marks);
  Hider hider(*this, escape);
  for (size_t i = 0; i < marks.size(); ++i) {
    const size_t end = other[i];
    if (marks[i].kind != Mark::Kind::kOpen || end == kNoPartner) continue;
    if (letters[end] > letters[i] || before[end] == before[i] || divided[end] > divided[i]) continue;
    hider.hide({marks[i].at, marks[end].at}, {i, end + 1});
    i = end;
  }
  *this = hider.finish();
}

void MarkedText::hide_pairs_of_signs(const Escape& escape) {
  if (marks.empty()) return;
  const std::vector<size_t> other = partners(marks);
  Hider hider(*this, escape);
  for (size_t i = 0, object = 0; i < marks.size(); ++i) {
    const size_t end = other[i];
    if (marks[i].kind != Mark::Kind::kOpen || end == kNoPartner) continue;
    const ByteRange inside{marks[i].at, marks[end].at};
    while (object < objects.size() && objects[object].at < inside.begin) ++object;
    if (object < objects.size() && objects[object].at < inside.end) continue;
    const auto is_half = [](const Mark& mark) { return mark.pair != 0; };
    const auto first = marks.begin() + static_cast<std::ptrdiff_t>(i);
    if (!is_only_signs(text, inside)) continue;
    if (std::any_of(first, marks.begin() + static_cast<std::ptrdiff_t>(end), is_half)) continue;
    hider.make_mark(inside, {i, end + 1});
    i = end;
  }
  *this = hider.finish();
}

void MarkedText::hide_leading_signs(const Escape& escape) {
  const ByteRange signs = leading_signs(*this);
  if (signs.begin == signs.end) return;
  const auto behind = first_from(marks, signs.begin + 1);
  if (behind != marks.end() && behind->at < signs.end) return;
  const auto mark = static_cast<size_t>(behind - marks.begin());
  Hider hider(*this, escape);
  hider.make_mark(signs, {mark, mark});
  *this = hider.finish();
}

}  // namespace ventris::markup
