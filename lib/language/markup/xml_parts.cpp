#include "markup/xml_parts.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "markup/cdata.h"
#include "markup/characters.h"

namespace ventris::markup {
namespace {

using XmlKind = XmlEvent::Kind;

/// Whether an element of this name has no code: titles, descriptions and posts, as feeds have them.
bool is_element_of_prose(std::string_view name) {
  constexpr std::array<std::string_view, 8> kProse{"title",   "description", "encoded",  "comment_content",
                                                   "summary", "subtitle",    "headline", "caption"};
  return std::ranges::find(kProse, name) != kProse.end();
}

/// Turns events into parts.
class XmlPartReader {
 public:
  XmlPartReader(const XmlDocument& xml, const XmlRoles& roles) : xml_(xml), roles_(roles) {}

  std::vector<Part> read(size_t first, size_t last) {
    if (first < last) done_ = xml_.events[first].range.begin;
    for (size_t i = first; i < last; ++i) {
      const XmlEvent& event = xml_.events[i];
      const size_t end = event.kind == XmlKind::kOpen ? xml_.elements[event.element].end : i;
      if (end > i && add_whole(event.element)) {
        i = end;
      } else if (ends_line(i)) {
        push(event.range, Part::Kind::kKept);
      } else {
        add(event);
      }
    }
    return std::move(parts_);
  }

 private:
  struct Open {
    size_t part;
    std::string_view pair;
    size_t element;
  };

  /// Adds the element as one part, if it is one.
  bool add_whole(size_t number) {
    const XmlElement& element = xml_.elements[number];
    const bool hidden = !element.translated && !element.translates_inside;
    const bool hides = hidden && xml_.elements[element.parent].translated;
    XmlRole role = roles_.of(number);
    if (role == XmlRole::kInline && element.translated && is_sign(number)) role = XmlRole::kHidden;
    if (role == XmlRole::kBlock || role == XmlRole::kInline) {
      if (!hides) return false;
      push(whole(element), role == XmlRole::kInline ? Part::Kind::kHidden : Part::Kind::kKept);
    } else if (!xml_.elements[element.parent].translated) {
      return false;
    } else if (role == XmlRole::kHidden) {
      push(whole(element), Part::Kind::kHidden);
    } else {
      push(whole(element), Part::Kind::kMark);
      if (role == XmlRole::kOpens) open_pair(number);
      if (role == XmlRole::kCloses) close_pair(roles_.pair(number));
    }
    return true;
  }
  /// Whether the event is a line end that counts, and the sentence does not go on behind it (line_goes_on).
  bool ends_line(size_t number) const {
    const XmlEvent& event = xml_.events[number];
    const XmlElement& element = xml_.elements[event.element];
    const bool counts = event.kind == XmlKind::kText && event.text == "\n" && element.keeps_lines && element.translated;
    return counts && !line_goes_on(text_before(number), text_behind(number));
  }
  /// The end of the text of the line that ends there, without the tags inside.
  std::string text_before(size_t number) const {
    constexpr size_t kMostEvents = 20, kEnough = 100;
    std::string text;
    for (size_t i = number; i-- > 0 && number - i < kMostEvents && text.size() < kEnough;) {
      if (xml_.events[i].text == "\n") break;
      text.insert(0, xml_.events[i].text);
    }
    return text;
  }
  std::string text_behind(size_t number) const {
    for (size_t i = number + 1; i < xml_.events.size() && i < number + 4; ++i) {
      if (!xml_.events[i].text.empty()) return xml_.events[i].text;
    }
    return {};
  }
  /// Whether the element is only a sign that stays (is_only_sign).
  bool is_sign(size_t number) const {
    constexpr size_t kMostEvents = 8;  // it is short
    const XmlElement& element = xml_.elements[number];
    const std::string_view name = xml_.local_name(number);
    if ((name != "a" && name != "sup" && name != "sub") || element.end - element.begin > kMostEvents) return false;
    std::string text;
    for (size_t i = element.begin; i <= element.end; ++i) {
      const XmlEvent& event = xml_.events[i];
      const bool plain = event.kind != XmlKind::kOther && xml_.elements[event.element].translated;
      if (!plain || (event.kind == XmlKind::kOpen && roles_.of(event.element) != XmlRole::kInline)) return false;
      text += event.text;
    }
    const bool note = name == "a" && refers_to_note(xml_.source, xml_.tag(number), parts_);
    return note ? is_only_sign("sup", text) : is_sign_or_index(name, markup::text_before(parts_, parts_.size()), text);
  }
  ByteRange whole(const XmlElement& element) const {
    return {xml_.events[element.begin].range.begin, xml_.events[element.end].range.end};
  }
  void open_pair(size_t element) {
    const std::string_view pair = roles_.pair(element);
    if (pair.empty()) return;
    open_.push_back({parts_.size() - 1, pair, element});
    first_halves_[pair] = parts_.size() - 1;
  }
  /// Only a pair that is nested correctly is one for the text; halves of others are marks alone, which stay in order.
  void close_pair(std::string_view pair) {
    const auto half = first_halves_.find(pair);
    if (half == first_halves_.end()) return;
    const size_t first = half->second;
    first_halves_.erase(half);
    while (!open_.empty() && parts_[open_.back().part].pair != 0) open_.pop_back();  // they have ended
    if (!open_.empty() && open_.back().part == first) {
      const size_t element = open_.back().element;
      open_.pop_back();
      if (roles_.hides(element)) return hide_from(first);
      parts_[first].mark = Mark::Kind::kOpen;
      parts_.back().mark = Mark::Kind::kClose;
    } else {
      parts_[first].pair = parts_.back().pair = first + 1;
    }
  }

  /// Makes one part of this one and all behind it.
  void hide_from(size_t first) {
    const size_t end = parts_.back().range.end;
    parts_.resize(first + 1);
    parts_[first] = {{parts_[first].range.begin, end}, Part::Kind::kHidden};
  }

  void add(const XmlEvent& event) {
    // The second event of an empty element has no bytes of its own.
    const size_t begin = std::max(done_, event.range.begin);
    const ByteRange range{begin, std::max(begin, event.range.end)};
    const std::string_view raw = xml_.source.substr(begin, range.end - begin);
    done_ = range.end;
    const bool tag = event.kind == XmlKind::kOpen || event.kind == XmlKind::kClose;
    if (!xml_.elements[event.element].translated) return push(range, Part::Kind::kKept);
    if (raw.starts_with("<![CDATA[")) {
      const CdataTexts texts = roles_.are_messages()                                 ? CdataTexts::kMessages
                               : is_element_of_prose(xml_.local_name(event.element)) ? CdataTexts::kProse
                                                                                     : CdataTexts::kAny;
      for (Part& part : cdata_parts(xml_.source, range, texts)) parts_.push_back(std::move(part));
    } else if (event.kind == XmlKind::kText) {
      parts_.push_back({range, Part::Kind::kText, Mark::Kind::kAlone, event.text});
    } else if (!tag && raw.starts_with('&')) {
      push(range, Part::Kind::kHidden);  // an entity of the document
    } else if (tag ? roles_.of(event.element) != XmlRole::kInline : !raw.starts_with("<!--")) {
      push(range, Part::Kind::kKept);
    } else if (!raw.empty()) {
      add_mark(event, range);
    }
  }
  void add_mark(const XmlEvent& event, ByteRange range) {
    push(range, Part::Kind::kMark);
    const bool single = event.kind == XmlKind::kOther || xml_.source.substr(0, range.end).ends_with("/>");
    if (single) return;
    parts_.back().mark = event.kind == XmlKind::kClose ? Mark::Kind::kClose : Mark::Kind::kOpen;
    const size_t begin = parts_.size() - 1;
    if (event.kind == XmlKind::kOpen) {
      open_.push_back({begin, {}, event.element});
      return;
    }
    // Halves of pairs that begin inside this element and do not end there are alone.
    while (!open_.empty() && !open_.back().pair.empty()) open_.pop_back();
    if (!open_.empty()) open_.pop_back();
  }

  void push(ByteRange range, Part::Kind kind) {
    parts_.push_back({range, kind});
    done_ = std::max(done_, range.end);
  }

  const XmlDocument& xml_;
  const XmlRoles& roles_;
  std::vector<Part> parts_;
  std::vector<Open> open_;  // elements (without a pair), and first halves of pairs
  std::unordered_map<std::string_view, size_t> first_halves_;  // the parts of those without a second half, by pair
  size_t done_ = 0;
};

}  // namespace

std::vector<Part> xml_parts(const XmlDocument& xml, const XmlRoles& roles, size_t first, size_t last) {
  return XmlPartReader(xml, roles).read(first, last);
}

}  // namespace ventris::markup
