#include "markup/markdown_parts.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "markup/attribute_lists.h"
#include "markup/characters.h"
#include "markup/delimiter_rows.h"
#include "markup/html.h"
#include "markup/html_blocks.h"
#include "markup/html_token.h"
#include "markup/known_blocks.h"
#include "markup/line_extensions.h"
#include "markup/markdown_labels.h"
#include "markup/parsing_limits.h"
#include "markup/pipe_lines.h"
#include "markup/template_pairs.h"
#include "markup/text_pieces.h"

namespace ventris::markup {
namespace {

using Span = MarkdownEvent::Span;

class MarkdownParts {
 public:
  explicit MarkdownParts(std::string_view document) : document_(document), limits_(document) {}

  void add(const MarkdownEvent& event) {
    const ByteRange range = event.range;
    if ((event.in_code || skipped_spans_ > 0) && event.kind != MarkdownEvent::Kind::kBlock) return skip(event);
    if (event.kind == MarkdownEvent::Kind::kText) return collect(range, event.text);
    add_collected();
    switch (event.kind) {
      case MarkdownEvent::Kind::kText: break;
      case MarkdownEvent::Kind::kCode: push({range, Part::Kind::kHidden}); break;
      case MarkdownEvent::Kind::kTag: add_tag(range); break;
      case MarkdownEvent::Kind::kHtml: add_html(range); break;
      case MarkdownEvent::Kind::kOpen: open(range, event.span, "", number_of_link(event)); break;
      case MarkdownEvent::Kind::kClose: close(range, event.span, ""); break;
      case MarkdownEvent::Kind::kSoftBreak: add_soft_break(range); break;
      case MarkdownEvent::Kind::kHardBreak: push({range, Part::Kind::kKept}); break;
      case MarkdownEvent::Kind::kBlock: end_block(); break;
    }
  }
  std::vector<Part> finish() {
    add_collected();
    pair_templates(document_, parts_);
    return std::move(parts_);
  }

 private:
  struct Open {
    size_t part = 0;
    size_t lettered = 0;  // of lettered_ before it
    Span span = Span::kNone;
    std::string tag;  // of HTML; otherwise empty
    uint64_t link = 0;
    bool ended = false;  // by a tag that is a mark alone
  };
  /// A start tag that is a mark alone.
  struct Single {
    size_t part = 0, begin = 0;
  };

  void push(Part part) {
    limits_.count(part.range.begin);
    const bool lettered = part.kind == Part::Kind::kKept ||
                          (part.kind == Part::Kind::kText && std::ranges::any_of(part.text, is_alnum_byte));
    lettered_ += lettered ? 1 : 0;
    parts_.push_back(std::move(part));
  }

  void collect(ByteRange range, const std::string& text) {
    const std::string_view source = raw(range);
    const bool escaped = source.size() == text.size() + 1 && source.starts_with('\\') && source.substr(1) == text;
    const bool follows = !pieces_.empty() && pieces_.back().range.end == range.begin;
    if (!follows) add_collected();
    pieces_.push_back({range, text, escaped, !escaped && source != text});
  }

  /// Adds the pieces, with the addresses in them as objects.
  void add_collected() {
    if (pieces_.empty()) return;
    const std::vector<ByteRange> addresses = addresses_in(document_, pieces_);
    size_t next = 0;
    const auto place = [&](size_t address) {
      return address < addresses.size() ? addresses[address] : ByteRange{document_.size(), document_.size()};
    };
    for (const TextPiece& piece : std::exchange(pieces_, {})) {
      for (size_t done = piece.range.begin; done < piece.range.end;) {
        while (place(next).end <= done && next < addresses.size()) ++next;
        const bool inside = place(next).begin <= done;
        const size_t end =
            piece.entity ? piece.range.end : std::min(inside ? place(next).end : place(next).begin, piece.range.end);
        if (inside && done > place(next).begin && parts_.back().kind == Part::Kind::kHidden) {
          parts_.back().range.end = end;  // the address goes on
        } else if (inside) {
          push({{done, end}, Part::Kind::kHidden});
        } else {
          add_text({done, end}, piece.part({done, end}));
        }
        done = end;
      }
    }
  }

  std::string_view raw(ByteRange range) const { return document_.substr(range.begin, range.end - range.begin); }

  /// What is inside an element of code that a block of HTML has opened is kept. If that ends inside a span of Markdown,
  /// so is the whole span.
  void skip(const MarkdownEvent& event) {
    add_collected();
    skipped_spans_ += event.kind == MarkdownEvent::Kind::kOpen ? 1 : 0;
    skipped_spans_ -= event.kind == MarkdownEvent::Kind::kClose && skipped_spans_ > 0 ? 1 : 0;
  }

  /// Hides code without an end tag up to the end of its block.
  void hide_unclosed_code() {
    const auto is_code = [](const Open& open) {
      return !open.tag.empty() && !open.ended && role_of_element(open.tag) != HtmlRole::kInline;
    };
    const auto code = std::ranges::find_if(open_, is_code);
    if (code == open_.end()) return;
    const auto first = parts_.begin() + static_cast<int64_t>(code->part);
    const auto kept =
        std::find_if(first, parts_.end(), [](const Part& part) { return part.kind == Part::Kind::kKept; });
    const size_t begin = first->range.begin, end = parts_.back().range.end;
    const size_t middle = kept == parts_.end() ? end : kept->range.begin;
    parts_.erase(first, parts_.end());
    push({{begin, middle}, Part::Kind::kHidden});
    if (end > middle) push({{middle, end}, Part::Kind::kKept});
  }

  void add_html(ByteRange range) {
    end_block();
    for (Part& part : html_block_parts(document_, range)) push(std::move(part));
    end_block();
  }

  void end_block() {
    hide_unclosed_code();
    keep_attributes_at_end();
    skipped_spans_ = 0;
    in_footnote_ = in_label_line_ = in_replacement_ = false;
    pipes_ = PipeLines::kNone;
    open_.clear();
    open_tags_.clear();
    single_tags_.clear();
    open_spans_.clear();
    const size_t end = parts_.empty() ? 0 : parts_.back().range.end;
    push({{end, end}, Part::Kind::kKept});
  }

  /// A list of attributes behind a space at the end of a block is that of the block: "# Heading {#name}". So is its
  /// name in Obsidian: "^name".
  void keep_attributes_at_end() {
    if (parts_.empty() || parts_.back().kind != Part::Kind::kHidden) return;
    const ByteRange range = parts_.back().range;
    const bool name = raw(range).starts_with('^') && !raw(range).starts_with("^[");  // of a block in Obsidian
    if ((name || raw(range).starts_with('{')) && line_before(range.begin).ends_with(' '))
      parts_.back().kind = Part::Kind::kKept;
  }

  void add_plain(ByteRange range, std::string text) {
    std::ranges::replace(text, '\n', ' ');  // from an entity
    if (range.end > range.begin) push({range, Part::Kind::kText, Mark::Kind::kAlone, std::move(text)});
  }

  /// Adds texts of their own with this sign between.
  void add_divided(ByteRange range, const std::string& text, std::string_view sign) {
    size_t done = 0;
    for (size_t at = text.find(sign); at != std::string::npos; at = text.find(sign, done)) {
      add_plain({range.begin + done, range.begin + at}, text.substr(done, at - done));
      done = at + sign.size();
      push({{range.begin + at, range.begin + done}, Part::Kind::kKept});
    }
    add_plain({range.begin + done, range.end}, text.substr(done));
  }

  void add_soft_break(ByteRange range) {
    const bool kept = in_label_line_ || at_start_of_block() || pipes_ == PipeLines::kCells ||
                      ends_title(document_, parts_, range.end);
    in_label_line_ = false;
    push({range, kept ? Part::Kind::kKept : Part::Kind::kText, Mark::Kind::kAlone, " "});
  }

  bool at_start_of_block() const { return parts_.empty() || parts_.back().kind == Part::Kind::kKept; }
  bool at_start_of_line() const {
    return at_start_of_block() || raw(parts_.back().range).find('\n') != std::string_view::npos;
  }

  /// For a text at the start of a line: this line begins a block, although the parser takes it for a part of the
  /// paragraph.
  void begin_block() {
    if (!parts_.empty()) parts_.back().kind = Part::Kind::kKept;
  }

  /// The size of what begins this text at the start of a line and is no text: the label of a quotation ("[!NOTE]"), or
  /// the marker of a list in a footnote.
  size_t size_of_start(ByteRange range, const std::string& text) {
    if (!at_start_of_line()) return 0;
    if (at_start_of_block() && pipes_ == PipeLines::kNone) pipes_ = pipe_lines_at(document_, range.begin);
    if (pipes_ == PipeLines::kVerse && text.starts_with('|')) {
      begin_block();
      return 1 + run_of(text, 1, " ");
    }
    if (at_start_of_block()) {
      if (const size_t task = size_of_task(line_before(range.begin), text); task > 0) return task;
      const size_t label = is_in_quotation(range.begin) ? size_of_label(text) : 0;
      in_label_line_ = in_label_line_ || label > 0;
      if (label > 0 || !in_footnote_) return label;
    }
    const size_t marker = in_footnote_ && indentation(range.begin) >= 4 ? size_of_list_marker(text) : 0;
    if (marker > 0) begin_block();
    return marker;
  }

  /// What stands before this place in its line.
  std::string_view line_before(size_t place) const {
    const std::string_view before = document_.substr(0, place);
    return before.substr(before.rfind('\n') + 1);  // of all if there is no line end
  }
  bool is_in_quotation(size_t place) const {
    const std::string_view before = line_before(place);
    const size_t last = before.find_last_not_of(" \t");
    return last != std::string_view::npos && before[last] == '>';
  }
  size_t indentation(size_t place) const {
    const std::string_view before = line_before(place);
    return before.find_first_not_of(' ') == std::string_view::npos ? before.size() : 0;
  }

  /// Signs of footnotes, such as [^1], are objects; at the beginning of a footnote, they are kept, and begin a block.
  void add_text(ByteRange range, const std::string& text) {
    if (raw(range) != text) return add_plain(range, text);
    if (in_replacement_) return add_divided(range, text, "~>");
    size_t done = std::max(size_of_start(range, text), size_of_separator(document_, parts_, text));
    if (pipes_ == PipeLines::kCells) return add_divided(range, text, "|");
    if (done > 0) push({{range.begin, range.begin + done}, Part::Kind::kKept});
    for (size_t at = text.find("[^", done); at != std::string::npos;) {
      const size_t end = text.find_first_of("[] ", at + 2);
      if (end == std::string::npos) break;
      if (text[end] == ']') {
        const bool begins = at == 0 && text.substr(end + 1, 1) == ":" && at_start_of_line();
        if (begins) begin_block();
        in_footnote_ |= begins;
        const size_t last = end + (begins ? 2 : 1);
        add_plain({range.begin + done, range.begin + at}, text.substr(done, at - done));
        push({{range.begin + at, range.begin + last}, begins ? Part::Kind::kKept : Part::Kind::kHidden});
        done = last;
      }
      at = text.find("[^", std::max(done, end));
    }
    add_plain({range.begin + done, range.end}, text.substr(done));
  }

  void open(ByteRange range, Span span, const std::string& tag, uint64_t link = 0) {
    (tag.empty() ? open_spans_ : open_tags_[tag]).push_back(open_.size());
    open_.push_back({parts_.size(), lettered_, span, tag, link});
    push({range, Part::Kind::kMark});  // alone until it is closed
  }

  /// The number in open_ of what this end closes; its size if there is nothing. The parser closes the last span that is
  /// open. No tag closes a span of Markdown, or a tag outside it.
  size_t opening_of(const std::string& tag) {
    const std::vector<size_t>& all = tag.empty() ? open_spans_ : open_tags_[tag];
    const size_t least = tag.empty() || open_spans_.empty() ? 0 : open_spans_.back() + 1;
    return all.empty() || all.back() < least ? open_.size() : all.back();
  }

  void close(ByteRange range, Span span, const std::string& tag) {
    const size_t opening = opening_of(tag);
    if (opening == open_.size() || open_[opening].span != span) return close_alone(range, tag);
    const Open start = open_[opening];
    close_until(opening);
    const size_t first = start.part;
    if (is_object(start, range)) {
      const ByteRange whole{parts_[first].range.begin, range.end};
      parts_.resize(first);
      lettered_ = start.lettered;
      return add_object(whole);
    }
    const bool never_empty = span == Span::kEmphasis || span == Span::kStrong || span == Span::kStrike;
    const std::string written = span == Span::kLink ? with_label(range, parts_[first].range.end) : "";
    parts_[first].mark = Mark::Kind::kOpen;
    parts_[first].never_empty = never_empty;
    parts_[first].link = span == Span::kLink ? start.link : 0;
    push({range, Part::Kind::kMark, Mark::Kind::kClose, written, never_empty, parts_[first].link});
  }

  /// An object; or what has lines of its own, which ends the block.
  void add_object(ByteRange whole) {
    if (extends_last(whole)) return;
    if (raw(whole) == "{~~" || raw(whole) == "~~}") return add_replacement(whole);
    if (!at_start_of_line() || !keeps_line(whole)) return push({whole, Part::Kind::kHidden});
    begin_block();
    push({whole, Part::Kind::kKept});
    in_label_line_ = true;
  }
  /// A sign of a replacement of CriticMarkup, whose texts are blocks: "{~~one~>two~~}".
  void add_replacement(ByteRange sign) {
    in_replacement_ = raw(sign).starts_with('{');
    push({sign, Part::Kind::kKept});
  }
  /// A list of attributes directly behind emphasis, a link or an image goes with its end.
  bool extends_last(ByteRange whole) {
    if (parts_.empty() || parts_.back().range.end != whole.begin || !is_attribute_list(raw(whole))) return false;
    Part& last = parts_.back();
    const bool span = last.kind == Part::Kind::kMark && last.mark == Mark::Kind::kClose;
    const bool image = last.kind == Part::Kind::kHidden && raw(last.range).starts_with("![");
    if (!span && !image) return false;
    if (!last.text.empty()) last.text += raw(whole);
    last.range.end = whole.end;
    return true;
  }
  /// Whether this, at the start of a line, stays there: the line that begins or ends a box, the name of an
  /// abbreviation, or a formula, list of attributes, table of contents or tag of a template on lines of its own
  /// (markdown_extensions.h).
  bool keeps_line(ByteRange whole) const {
    const auto begins = [sign = raw(whole)](std::string_view with) { return sign.starts_with(with); };
    if (begins(":::") || begins("///") || begins("*[") || is_in_box_line(whole.begin)) return true;
    const bool may_be =
        is_attribute_list(raw(whole)) || may_fill_line(raw(whole)) ||
        (at_start_of_block() && std::ranges::any_of(std::array{"{{", "${{", "<%", "[[", "![["}, begins)) ||
        std::ranges::any_of(std::array{"$$", "\\[", "\\\\[", "\\begin{", "[TOC]", "{%", "{{<", "{{%", "{{#", "{{/"},
                            begins);
    const size_t next = std::min(document_.find_first_not_of(" \t\r", whole.end), document_.size());
    return may_be && (next == document_.size() || document_[next] == '\n');
  }

  /// Whether this is the code that the parser sees in a line that begins a box (with_known_blocks).
  bool is_in_box_line(size_t place) const {
    constexpr size_t kSign = 4;
    if (place < kSign) return false;
    const std::string_view rest = document_.substr(place - kSign);
    return begins_box(rest.substr(0, rest.find('\n')));
  }

  /// Closes what was opened from this number on. Tags without an end are marks alone from here on.
  void close_until(size_t opening) {
    for (; open_.size() > opening; open_.pop_back()) {
      const Open& last = open_.back();
      if (!last.ended) (last.tag.empty() ? open_spans_ : open_tags_[last.tag]).pop_back();
      const bool without_end = !last.tag.empty() && !last.ended && open_.size() - 1 > opening;
      if (without_end) single_tags_[last.tag].push_back({last.part, parts_[last.part].range.begin});
    }
  }

  /// Adds an end tag that closes nothing, such as one inside emphasis whose start tag is outside. It and the last start
  /// tag of its name stay in order.
  void close_alone(ByteRange range, const std::string& tag) {
    push({range, Part::Kind::kMark});
    const std::optional<size_t> start = tag.empty() ? std::nullopt : take_single(tag);
    if (start) parts_[*start].pair = parts_.back().pair = *start + 1;
  }
  /// The part of the last start tag of this name that has no end.
  std::optional<size_t> take_single(const std::string& tag) {
    std::vector<Single>& singles = single_tags_[tag];
    std::vector<size_t>& open = open_tags_[tag];
    const auto is_there = [&](const Single& single) {
      return single.part < parts_.size() && parts_[single.part].range.begin == single.begin;
    };
    while (!singles.empty() && !is_there(singles.back())) singles.pop_back();
    const bool is_open = !open.empty() && (singles.empty() || open_[open.back()].part > singles.back().part);
    if (!is_open && singles.empty()) return {};
    const size_t part = is_open ? open_[open.back()].part : singles.back().part;
    if (is_open) open_[open.back()].ended = true;
    is_open ? open.pop_back() : singles.pop_back();
    return part;
  }

  /// The end of a link such as [label] or [label][], whose label is its text and is translated: "][label]". Empty for
  /// other ends. `begin`: of the label.
  std::string with_label(ByteRange end, size_t begin) const {
    if (raw(end) != "]" && raw(end) != "][]") return "";
    std::string label;
    for (const char c : raw({begin, end.begin})) {
      const bool after_line_end = label.ends_with('\n');
      if (after_line_end && (c == '>' || c == ' ' || c == '\t')) continue;
      label += c;
    }
    std::ranges::replace(label, '\n', ' ');
    return "][" + label + "]";
  }

  /// Whether an element or span from `start` to `end` is shown as it is.
  bool is_object(const Open& start, ByteRange end) const {
    const std::string_view sign = raw(parts_[start.part].range);
    if (start.span == Span::kCode || start.span == Span::kImage) return true;
    if (!start.tag.empty()) {
      const HtmlToken tag = html_token(sign, 0);
      const bool code = role_of_element(start.tag) != HtmlRole::kInline && !tag.translated;
      if (code || tag.untranslated) return true;
    }
    if (start.span == Span::kLink && sign != "[") return true;  // the text is an address
    const size_t next = start.part + 1;
    if (start.span == Span::kLink && next < parts_.size() && parts_[next].text.starts_with('^')) return true;
    if (lettered_ == start.lettered) return true;
    const bool citation = start.span == Span::kLink && (raw(end) == "]" || raw(end) == "][]");  // [1]
    const std::string text = text_from(next);
    const std::string_view before = text_before(parts_, start.part);
    if (sign == "~" && is_index(true, before, text)) return true;
    return is_sign_or_index(citation ? "moved" : start.span == Span::kLink ? "a" : start.tag, before, text);
  }
  /// Of the parts from this one on, if they are a short text, which may have marks; otherwise nothing.
  std::string text_from(size_t part) const {
    constexpr size_t kMostParts = 8;
    std::string text;
    for (size_t i = part; i < parts_.size(); ++i) {
      const bool mark = parts_[i].kind == Part::Kind::kMark;
      if (i - part > kMostParts || (!mark && parts_[i].kind != Part::Kind::kText)) return "";
      if (!mark) text += parts_[i].text;
    }
    return text;
  }

  void add_tag(ByteRange range) {
    const HtmlToken tag = html_token(raw(range), 0);
    const HtmlRole role = role_of_element(tag.name);
    if (tag.is_tag() && role == HtmlRole::kBlock) {
      if (at_start_of_line()) begin_block();
      push({range, Part::Kind::kKept});
    } else if (!tag.is_tag() || tag.self_closing || raw(range).ends_with("/>") || is_void_element(tag.name)) {
      push({range, Part::Kind::kMark});
    } else if (tag.kind == HtmlToken::Kind::kEndTag) {
      close(range, Span::kNone, tag.name);
    } else {
      open(range, Span::kNone, tag.name);
    }
  }

  std::string_view document_;
  ParsingLimits limits_;
  std::vector<Part> parts_;
  bool in_footnote_ = false;    // the paragraph has begun as a footnote
  bool in_label_line_ = false;  // its line has begun with the label of a quotation
  PipeLines pipes_ = PipeLines::kNone;  // of the paragraph
  bool in_replacement_ = false;  // of CriticMarkup
  size_t skipped_spans_ = 0;    // spans that are open in what is kept
  size_t lettered_ = 0;        // parts with letters or digits to translate, and kept ones
  std::vector<TextPiece> pieces_;  // not in parts_ yet
  std::vector<Open> open_;     // what is open, from the outermost
  std::vector<size_t> open_spans_;                        // the spans of Markdown among them, by number
  std::map<std::string, std::vector<size_t>> open_tags_;  // the tags of each name that have no end yet
  std::map<std::string, std::vector<Single>> single_tags_;  // start tags without an end, by name
};

}  // namespace

std::vector<Part> markdown_parts(std::string_view document, const std::vector<MarkdownEvent>& events) {
  MarkdownParts parts(document);
  for (const MarkdownEvent& event : events) parts.add(event);
  return parts.finish();
}

}  // namespace ventris::markup
