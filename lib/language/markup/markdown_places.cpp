#include "markup/markdown_places.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "markup/characters.h"

namespace ventris::markup {
namespace {

using Kind = MarkdownEvent::Kind;
using Span = MarkdownEvent::Span;

constexpr size_t kLooks = 64;  // at each byte between two texts

/// How many bytes the search between two texts may still look at. It looks at each a few times, unless a document is
/// made such that nothing is found.
struct Effort {
  size_t left;

  bool spend() { return left > 0 && left-- > 0; }
};

/// The end of what is in brackets, of which the first is at `at`; npos if they are not closed.
size_t end_of_brackets(std::string_view text, size_t at, char open, char close, Effort& effort) {
  int64_t depth = 0;
  char quote = 0;
  for (size_t i = at; i < text.size() && effort.spend(); ++i) {
    const char c = text[i];
    if (c == '\\') {
      ++i;
    } else if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (open == '(' && (c == '"' || c == '\'') && std::isspace(static_cast<unsigned char>(text[i - 1])) != 0) {
      quote = c;  // a title
    } else if (open == '(' && c == '<') {
      quote = '>';
    } else if (c == open) {
      ++depth;
    } else if (c == close && --depth == 0) {
      return i + 1;
    }
  }
  return std::string_view::npos;
}

using Ends = std::vector<size_t>;

/// Of "](target)", "][name]", "]" or ">".
Ends ends_of_link(std::string_view text, size_t at, Effort& effort) {
  if (text.substr(at).starts_with('>')) return {at + 1};
  if (!text.substr(at).starts_with(']')) return {};
  Ends ends{at + 1};
  const std::string_view next = text.substr(at + 1, 1);
  if (next == "(" || next == "[") {
    const size_t end = end_of_brackets(text, at + 1, next[0], next[0] == '(' ? ')' : ']', effort);
    if (end != std::string_view::npos) ends.push_back(end);
  }
  return ends;
}

Ends ends_of_code(std::string_view text, size_t at, bool opens) {
  if (opens) {
    const size_t signs = run_of(text, at, "`");
    if (signs == 0) return {};
    return {at + signs, at + signs + run_of(text, at + signs, " \n\t>")};
  }
  const size_t first = at + run_of(text, at, " \n\t>");
  const size_t signs = run_of(text, first, "`");
  return signs == 0 ? Ends{} : Ends{first + signs};
}

Ends ends_of_break(std::string_view text, size_t at) {
  at += run_of(text, at, " \t");
  if (text.substr(at).starts_with('\\')) ++at;
  if (text.substr(at).starts_with("\r\n")) ++at;
  if (!text.substr(at).starts_with('\n')) return {};
  return {at + 1 + run_of(text, at + 1, " \t>")};
}

/// Where an event without a place of its own can end if it begins at `at`; none if it cannot begin there.
Ends ends_of(const MarkdownEvent& event, std::string_view text, size_t at, Effort& effort) {
  const std::string_view rest = text.substr(at);
  const bool opens = event.kind == Kind::kOpen;
  if (event.kind == Kind::kSoftBreak || event.kind == Kind::kHardBreak) return ends_of_break(text, at);
  if (event.span == Span::kEmphasis) return run_of(text, at, "*_") > 0 ? Ends{at + 1} : Ends{};
  if (event.span == Span::kStrong) return rest.starts_with("**") || rest.starts_with("__") ? Ends{at + 2} : Ends{};
  if (event.span == Span::kStrike) {
    return rest.starts_with("~~") ? Ends{at + 1, at + 2} : rest.starts_with('~') ? Ends{at + 1} : Ends{};
  }
  if (event.span == Span::kCode) return ends_of_code(text, at, opens);
  if (event.span == Span::kImage && opens) return rest.starts_with("![") ? Ends{at + 2} : Ends{};
  if (event.span == Span::kLink && opens) {
    return rest.starts_with('[') || rest.starts_with('<') ? Ends{at + 1} : Ends{};
  }
  return ends_of_link(text, at, effort);
}

using MarkdownEvents = std::vector<MarkdownEvent>;

/// Events in a row, and the text in which they are.
struct Gap {
  MarkdownEvents::iterator begin, end;
  ByteRange range;
};

/// Places all events of the gap, the first at its beginning; if `whole`, the last at its end. False: not possible.
bool match(std::string_view document, const Gap& gap, bool whole, Effort& effort) {
  const std::string_view text = document.substr(0, gap.range.end);
  std::vector<std::map<size_t, size_t>> begins{{{gap.range.begin, gap.range.begin}}};  // by the ends
  for (auto event = gap.begin; event != gap.end; ++event) {
    std::map<size_t, size_t> next;
    for (const auto& [at, before] : begins.back()) {
      for (const size_t end : ends_of(*event, text, at, effort)) next.try_emplace(end, at);
    }
    begins.push_back(std::move(next));
  }
  if (begins.back().empty()) return false;
  size_t end = begins.back().rbegin()->first;
  if (whole && end != gap.range.end) return false;
  for (auto event = gap.end; event != gap.begin;) {
    --event;
    const size_t begin = begins[static_cast<size_t>(event - gap.begin) + 1].at(end);
    event->range = {begin, end};
    end = begin;
  }
  return true;
}

/// As match(), at the last place that is possible.
bool match_at_end(std::string_view document, Gap gap, size_t first, Effort& effort) {
  for (gap.range.begin = gap.range.end + 1; gap.range.begin-- > first && effort.spend();) {
    if (match(document, gap, true, effort)) return true;
  }
  return false;
}

/// Whether the events before and behind the gap were placed, too.
struct Sides {
  bool before = true, behind = true;
};

Sides locate(std::string_view document, const Gap& gap, Effort& effort) {
  const auto is_block = [](const MarkdownEvent& event) { return event.kind == Kind::kBlock; };
  const auto first = std::find_if(gap.begin, gap.end, is_block);
  if (first == gap.end) {
    const bool found = match(document, gap, true, effort);
    return {found, found};
  }
  auto last = gap.end;
  while (!is_block(*(last - 1))) --last;
  Sides sides;
  sides.before = match(document, {gap.begin, first, gap.range}, false, effort);
  const size_t middle = sides.before && first != gap.begin ? (first - 1)->range.end : gap.range.begin;
  std::fill(first, last, MarkdownEvent{Kind::kBlock, Span::kNone, {middle, middle}});
  sides.behind = match_at_end(document, {last, gap.end, {middle, gap.range.end}}, middle, effort);
  return sides;
}

/// Makes the events around this one kBlock, up to the beginning and the end of the block.
void keep_block(MarkdownEvents& events, size_t at) {
  const auto keep = [&](size_t i) {
    if (i >= events.size() || events[i].kind == Kind::kBlock) return false;
    events[i] = {Kind::kBlock, Span::kNone, {events[i].range.begin, events[i].range.begin}};
    return true;
  };
  for (size_t i = at; i-- > 0 && keep(i);) {
  }
  for (size_t i = at; keep(i); ++i) {
  }
}

}  // namespace

void locate_markdown(std::string_view document, std::vector<MarkdownEvent>& events) {
  std::vector<size_t> unclear;
  size_t begin = 0, done = 0;
  for (size_t i = 0; i <= events.size(); ++i) {
    if (i < events.size() && !events[i].has_place()) continue;
    const ByteRange range{done, i < events.size() ? events[i].range.begin : document.size()};
    const auto at = [&](size_t event) { return events.begin() + static_cast<int64_t>(event); };
    Effort effort{kLooks * (range.end - range.begin + kLooks)};
    const Sides sides = locate(document, {at(begin), at(i), range}, effort);
    if (!sides.before) unclear.push_back(begin - 1);
    if (!sides.behind) unclear.push_back(i);
    if (i < events.size()) done = events[i].range.end;
    begin = i + 1;
  }
  for (const size_t event : unclear) keep_block(events, event);
}

}  // namespace ventris::markup
