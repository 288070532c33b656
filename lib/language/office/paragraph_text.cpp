#include "office/paragraph_text.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "markup/characters.h"
#include "office/symbols.h"

namespace ventris::office {
namespace {

using Items = std::vector<Item>;
using Kind = Item::Kind;
using markup::Mark;

bool is_visible(const Item& item) {
  return item.kind == Kind::kText && item.text.find_first_not_of(" \t\r\n") != std::string::npos;
}

bool has_letters(const Item& item) { return item.kind == Kind::kText && markup::has_letters(item.text); }

/// Takes in the elements of which the range has only one half.
ItemRange with_whole_elements(const Items& items, ItemRange range) {
  size_t open = 0, closed = 0;  // without their other halves in the range
  for (size_t i = range.first; i <= range.last; ++i) {
    if (items[i].kind == Kind::kOpen) ++open;
    if (items[i].kind == Kind::kClose) open > 0 ? --open : ++closed;
  }
  while (closed > 0 && range.first > 0) {
    const Kind kind = items[--range.first].kind;
    if (kind == Kind::kClose) ++closed;
    if (kind == Kind::kOpen) --closed;
  }
  while (open > 0 && range.last + 1 < items.size()) {
    const Kind kind = items[++range.last].kind;
    if (kind == Kind::kOpen) ++open;
    if (kind == Kind::kClose) --open;
  }
  return range;
}

std::string sign_of_item(size_t number, Item::Script script = Item::Script::kNone) {
  const char* const begin = script == Item::Script::kRaised ? "<n" : script == Item::Script::kLowered ? "<sub" : "<i";
  return begin + std::to_string(number) + ">";
}

/// Writes items as a text with signs.
class TextMaker {
 public:
  TextMaker(const Items& items, ItemRange range, size_t usual) : items_(items), range_(range), usual_(usual) {}

  markup::MarkedText make() {
    for (size_t i = range_.first; i <= range_.last; ++i) add(i);
    end_format();
    forget_half_pairs();
    return std::move(text_);
  }

 private:
  void add(size_t number) {
    const Item& item = items_[number];
    switch (item.kind) {
      case Kind::kText:
        set_format(item.format);
        text_.text += with_usual_hyphens(item.text);
        break;
      case Kind::kObject:
        if (!goes_on(number)) end_format();
        text_.objects.push_back({text_.text.size(), sign_of_item(number, item.script)});
        text_.text += markup::kObject;
        break;
      case Kind::kAlone:
      case Kind::kBreak:
        if (!goes_on(number)) end_format();
        mark(Mark::Kind::kAlone, sign_of_item(number), item.pair);
        text_.marks.back().divides = item.divides;
        break;
      case Kind::kOpen:
        end_format();
        mark(Mark::Kind::kOpen, sign_of_item(number));
        break;
      case Kind::kClose:
        end_format();
        mark(Mark::Kind::kClose, sign_of_item(number));
        break;
    }
  }
  void mark(Mark::Kind kind, std::string raw, size_t pair = 0) {
    Mark mark{text_.text.size(), kind, std::move(raw)};
    mark.pair = pair;
    text_.marks.push_back(std::move(mark));
  }
  /// Whether the next text has the format of the last one.
  bool goes_on(size_t number) const {
    while (++number <= range_.last) {
      const Item& next = items_[number];
      if (next.kind == Kind::kText) return next.format == format_;
      if (next.kind == Kind::kOpen || next.kind == Kind::kClose) return false;
    }
    return false;
  }
  void set_format(size_t format) {
    if (format_ == format) return;
    end_format();
    if (format == usual_) return;
    format_ = format;
    mark(Mark::Kind::kOpen, "<f" + std::to_string(format) + ">");
  }
  void end_format() {
    if (format_ != Item::kNoFormat) mark(Mark::Kind::kClose, "</f>");
    format_ = Item::kNoFormat;
  }
  void forget_half_pairs() {
    std::map<size_t, size_t> halves;
    for (const Mark& mark : text_.marks) ++halves[mark.pair];
    for (Mark& mark : text_.marks) {
      if (halves[mark.pair] != 2) mark.pair = 0;
    }
  }

  const Items& items_;
  const ItemRange range_;
  const size_t usual_;
  size_t format_ = Item::kNoFormat;  // that has begun
  markup::MarkedText text_;
};

std::vector<Sign> parse(std::string_view translation) {
  std::vector<Sign> signs;
  while (!translation.empty()) {
    const size_t sign = std::min(translation.find('<'), translation.size());
    if (sign > 0) signs.push_back({Sign::Kind::kText, translation.substr(0, sign)});
    translation.remove_prefix(sign);
    if (translation.empty()) break;
    const size_t end = std::min(translation.find('>'), translation.size() - 1);
    const std::string_view name = translation.substr(1, end - 1);
    translation.remove_prefix(end + 1);
    if (name == "/f") {
      signs.push_back({Sign::Kind::kFormatEnd});
    } else if (name.size() > 1) {
      Sign numbered{name.front() == 'f' ? Sign::Kind::kFormat : Sign::Kind::kItem};
      const size_t digits = std::min(name.find_first_of("0123456789"), name.size());
      std::from_chars(name.data() + digits, name.data() + name.size(), numbered.number);
      signs.push_back(numbered);
    }
  }
  return signs;
}

/// Whether each item but texts is there once, and elements are nested.
bool is_whole(const std::vector<Sign>& signs, const Items& items, ItemRange range) {
  std::vector<size_t> seen(range.last - range.first + 1, 0), open;
  for (const Sign& sign : signs) {
    if (sign.kind != Sign::Kind::kItem) continue;
    if (sign.number < range.first || sign.number > range.last || ++seen[sign.number - range.first] > 1) return false;
    const Item& item = items[sign.number];
    if (item.kind == Kind::kOpen) open.push_back(item.pair);
    if (item.kind != Kind::kClose) continue;
    if (open.empty() || open.back() != item.pair) return false;
    open.pop_back();
  }
  for (size_t i = range.first; i <= range.last; ++i) {
    if (seen[i - range.first] != (items[i].kind == Kind::kText ? 0 : 1)) return false;
  }
  return open.empty();
}

}  // namespace

std::vector<ItemRange> texts_of(const Items& items) {
  std::vector<ItemRange> texts;
  const auto end_text = [&](size_t begin, size_t end) {
    while (begin < end && !is_visible(items[begin])) ++begin;
    while (end > begin && !is_visible(items[end - 1])) --end;
    const bool any = std::any_of(items.begin() + static_cast<std::ptrdiff_t>(begin),
                                 items.begin() + static_cast<std::ptrdiff_t>(end), has_letters);
    if (any) texts.push_back(with_whole_elements(items, {begin, end - 1}));
  };
  size_t begin = 0;
  for (size_t i = 0; i <= items.size(); ++i) {
    if (i < items.size() && items[i].kind != Kind::kBreak) continue;
    end_text(begin, i);
    begin = i + 1;
  }
  return texts;
}

size_t usual_format(const Items& items, ItemRange range) {
  std::map<size_t, int64_t> characters;
  size_t usual = Item::kNoFormat;
  for (size_t i = range.first; i <= range.last; ++i) {
    if (items[i].kind != Kind::kText) continue;
    characters[items[i].format] += static_cast<int64_t>(items[i].text.size());
    if (usual == Item::kNoFormat) usual = items[i].format;
  }
  for (const auto& [format, count] : characters) {
    if (count > characters[usual]) usual = format;
  }
  return usual;
}

markup::MarkedText marked_text(const Items& items, ItemRange range, size_t usual_format) {
  return TextMaker(items, range, usual_format).make();
}

std::vector<Sign> signs_of(std::string_view translation, const Items& items, ItemRange range) {
  std::vector<Sign> signs = parse(translation);
  if (is_whole(signs, items, range)) return signs;
  std::erase_if(signs, [](const Sign& sign) { return sign.kind != Sign::Kind::kText; });
  for (size_t i = range.first; i <= range.last; ++i) {
    if (items[i].kind != Kind::kText) signs.push_back({Sign::Kind::kItem, {}, i});
  }
  return signs;
}

}  // namespace ventris::office
