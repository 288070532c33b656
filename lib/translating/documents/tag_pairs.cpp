#include "documents/tag_pairs.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <unordered_map>

#include "documents/link_placeholders.h"
#include "documents/word_pairs.h"
#include "formats/conversions.h"
#include "formats/groff_escapes.h"
#include "markup/angular_names.h"
#include "markup/markup.h"
#include "markup/template_pairs.h"
#include "markup/text_cursor.h"

namespace ventris::documents {
namespace {

constexpr std::string_view kLineBreak = "br", kLink = "](", kColour = "&";

using markup::kNoPartner;
using markup::Mark;

/// A placeholder, and what it is as a tag.
struct Tag {
  enum class Kind { kNone, kStart, kEnd, kSingle };
  ByteRange range;
  Kind kind = Kind::kNone;
  std::string name = {};
  bool only_in_pairs = false;  // it is no tag without its partner
  size_t partner = kNoPartner;
  bool overlaps = false;  // of a pair: another one is partly inside
  bool is_mark = false;
  size_t words_before = 0;  // letters and digits in front of it that are in no placeholder

  /// Whether it is no tag without a partner, and has none.
  bool is_free() const { return partner == kNoPartner && (kind == Kind::kNone || only_in_pairs); }
};

bool is_name_character(char c) { return c != ' ' && c != '\t' && c != '\n' && c != '/' && c != '>'; }

/// "&lt;b&gt;" and "&lt;/b&gt;" (end_of_escaped_tag()).
Tag read_escaped_tag(std::string_view raw, Tag tag) {
  constexpr size_t kBrackets = 4;
  if (!raw.ends_with("&gt;") || raw.size() <= 2 * kBrackets) return tag;
  const bool ends = raw[kBrackets] == '/', alone = raw[raw.size() - kBrackets - 1] == '/';
  const std::string_view name = raw.substr(kBrackets + (ends ? 1 : 0));
  tag.kind = ends ? Tag::Kind::kEnd : alone ? Tag::Kind::kSingle : Tag::Kind::kStart;
  tag.name = "&" + std::string(name.substr(0, name.find_first_of(" /&")));
  tag.only_in_pairs = true;
  return tag;
}

/// A tag of a template: {% if a %} and {% endif %}, {b} and {/b}.
Tag read_template(std::string_view raw, Tag tag) {
  markup::TemplateTag read = markup::read_template_tag(raw);
  if (read.kind == markup::TemplateTag::Kind::kNone) return tag;
  tag.kind = read.kind == markup::TemplateTag::Kind::kEnd ? Tag::Kind::kEnd : Tag::Kind::kStart;
  tag.name = "{" + std::move(read.name);
  tag.only_in_pairs = true;
  return tag;
}

/// "{$START_LINK_1}", "{$CLOSE_LINK}" and "{$LINE_BREAK}", as Angular writes tags in JSON.
Tag read_angular(std::string_view raw, Tag tag) {
  if (!raw.ends_with('}')) return tag;
  const std::string_view inside = raw.substr(2, raw.size() - 3), name = markup::angular_name(inside);
  if (name == "LINE_BREAK") {
    tag.kind = Tag::Kind::kSingle;
    tag.name = kLineBreak;
  } else if (inside.starts_with(markup::kAngularStart) || inside.starts_with(markup::kAngularEnd)) {
    tag.kind = inside.starts_with(markup::kAngularEnd) ? Tag::Kind::kEnd : Tag::Kind::kStart;
    tag.name = "$" + std::string(name);
  }
  return tag;
}

/// A part of a link of Markdown, or of another pair (LinkParts).
Tag read_link(std::string_view raw, Tag tag) {
  tag.kind = begins_link(raw) ? Tag::Kind::kStart : Tag::Kind::kEnd;
  tag.name = kLink;
  tag.only_in_pairs = true;
  return tag;
}

/// "*|IF:NAME|*" and "*|END:IF|*" of Mailchimp.
Tag read_merge_tag(std::string_view raw, Tag tag) {
  const std::string_view words = raw.substr(2), name = words.substr(0, words.find_first_of(":|"));
  const bool ends = name == "END";
  const std::string_view begun = ends && words.size() > 6 ? words.substr(4, words.size() - 6) : name;
  tag.kind = ends ? Tag::Kind::kEnd : Tag::Kind::kStart;
  tag.name = "*" + std::string(begun == "IFNOT" ? "IF" : begun);
  tag.only_in_pairs = true;
  return tag;
}

/// "[b]" and "[/b]" (markup::BracketCodes).
Tag read_bracket_code(std::string_view raw, Tag tag) {
  const bool ends = raw.starts_with("[/");
  const std::string_view name = raw.substr(ends ? 2 : 1);
  if (!raw.ends_with(']') || name.starts_with('[') || name.starts_with('(')) return tag;
  tag.kind = ends ? Tag::Kind::kEnd : Tag::Kind::kStart;
  tag.name = "[" + std::string(name.substr(0, name.find_first_of(" =]")));
  tag.only_in_pairs = true;
  return tag;
}

/// The halves of "`words <url>`_", ":ref:`words <label>`", "B<words>" and "E<lt>wordsE<gt>" (reference_placeholders.h),
/// and of "<some words>" (tag_placeholders.h).
Tag read_reference(std::string_view raw, Tag tag) {
  const bool role = raw == "`" || (raw.starts_with(':') && raw.find('`') == raw.size() - 1);
  const bool target = raw.starts_with(" <") && raw.find(">`") != std::string_view::npos;
  const bool format = raw == "B<" || raw == "I<" || raw == "<", angle = raw == "E<lt>";
  if (!role && !target && !format && !angle && raw != ">" && raw != "E<gt>") return tag;
  tag.kind = role || format || angle ? Tag::Kind::kStart : Tag::Kind::kEnd;
  tag.name = role || target ? "`" : angle || raw == "E<gt>" ? "E" : ">";
  tag.only_in_pairs = true;
  return tag;
}

/// A quotation mark of groff ("\(lq", "\[rq]"), which begins a quotation if nothing or a space is in front of it.
Tag read_groff_quote(std::string_view text, Tag tag) {
  const size_t at = tag.range.begin;
  const bool begins = at == 0 || text[at - 1] == ' ' || text[at - 1] == '(';
  tag.kind = begins ? Tag::Kind::kStart : Tag::Kind::kEnd;
  tag.name = "\\q";
  tag.only_in_pairs = true;
  return tag;
}

/// A font of groff ("\fB", or "\fR", which ends it).
Tag read_groff_font(std::string_view raw, Tag tag) {
  const bool ends = raw == "\\fR" || raw == "\\fP" || raw == "\\f1" || raw == "\\f[]" || raw == "\\f[R]";
  tag.kind = ends ? Tag::Kind::kEnd : Tag::Kind::kStart;
  tag.name = "\\f";
  tag.only_in_pairs = true;
  return tag;
}

/// Whether it is a colour of Minecraft that touches the word behind it: "&a", "§c", "&#ff8800".
bool is_colour_of_word(std::string_view text, ByteRange range) {
  const std::string_view raw = text.substr(range.begin, range.end - range.begin);
  const bool colour = raw.starts_with("§") || (raw.starts_with('&') && !raw.ends_with(';'));
  return colour && markup::is_word_character(markup::character_at(text, range.end));
}

/// A request of groff (".SH") at the beginning of a text.
Tag read_groff_request(std::string_view raw, Tag tag) {
  tag.kind = Tag::Kind::kStart;
  tag.name = raw;
  return tag;
}

Tag read_tag(std::string_view text, ByteRange range) {
  const std::string_view raw = text.substr(range.begin, range.end - range.begin);
  Tag tag{range};
  if (is_colour_of_word(text, range)) {
    tag.kind = Tag::Kind::kSingle;
    tag.name = kColour;
    return tag;
  }
  if (formats::is_groff_font(raw)) return read_groff_font(raw, std::move(tag));
  if (formats::is_groff_request(raw)) return read_groff_request(raw, std::move(tag));
  if (formats::is_groff_quotation_mark(raw)) return read_groff_quote(text, std::move(tag));
  if (raw.starts_with("{$")) return read_angular(raw, std::move(tag));
  if (raw.starts_with("&lt;")) return read_escaped_tag(raw, std::move(tag));
  if (raw.starts_with("*|")) return read_merge_tag(raw, std::move(tag));
  if (begins_link(raw) || ends_link(raw)) return read_link(raw, std::move(tag));
  if (raw.starts_with('[')) return read_bracket_code(raw, std::move(tag));
  tag = read_reference(raw, std::move(tag));
  if (tag.kind != Tag::Kind::kNone) return tag;
  const bool one = raw.size() > 2 && raw.front() == '<' && raw.find_first_of("<>", 1) == raw.size() - 1;
  if (!one || raw.back() != '>') return read_template(raw, std::move(tag));
  const bool ends = raw[1] == '/', alone = raw[raw.size() - 2] == '/';
  tag.kind = ends ? Tag::Kind::kEnd : alone ? Tag::Kind::kSingle : Tag::Kind::kStart;
  const std::string_view name = raw.substr(ends ? 2 : 1);
  const auto* const end = std::ranges::find_if_not(name, is_name_character);
  tag.name = name.substr(0, static_cast<size_t>(end - name.begin()));
  return tag;
}

/// Whether it can be half of a pair around words by its place: it has a name, and takes not the next argument, as "%s"
/// does, which must keep its order with others.
bool is_named(std::string_view raw) {
  constexpr std::array<std::string_view, 5> kStatements{"{%", "{{#", "{{/", "{{^", "{/"};
  const auto begins = [&](std::string_view sign) { return raw.starts_with(sign); };
  return std::string_view("{$%#@:").find(raw.front()) != std::string_view::npos &&
         std::ranges::none_of(kStatements, begins) && formats::unnumbered_arguments_in(raw).empty();
}

/// Whether two placeholders stand around words as tags do: "the {start}old dogs{end}", "&lt;old dogs&gt;".
bool stand_around_words(std::string_view text, ByteRange first, ByteRange second) {
  const std::string_view begin = text.substr(first.begin, first.end - first.begin);
  const std::string_view end = text.substr(second.begin, second.end - second.begin);
  const bool brackets = begin == "&lt;" && end == "&gt;";
  return (brackets || (is_named(begin) && is_named(end))) && touch_words_between(text, first, second);
}

/// Counts letters and digits outside of placeholders.
size_t words_in(std::string_view text, ByteRange range) {
  size_t words = 0;
  while (range.begin < range.end) words += u_isalnum(markup::next_character(text, range.begin)) != 0 ? 1 : 0;
  return words;
}

/// The tags of a text.
class Tags {
 public:
  Tags(std::string_view text, const std::vector<ByteRange>& placeholders) : text_(text) {
    size_t done = 0;
    for (const ByteRange& range : placeholders) {
      Tag& tag = tags_.emplace_back(read_tag(text, range));
      words_ += words_in(text, {done, range.begin});
      tag.words_before = words_;
      done = range.end;
    }
    words_ += words_in(text, {done, text.size()});
  }

  bool has_words() const { return words_ > 0; }

  /// Chooses the tags that become marks. False: none, because they are nested too deeply.
  bool choose() {
    pair_up();
    pair_around_words();
    if (!find_overlaps()) return false;
    for (Tag& tag : tags_) {
      const bool has_partner = tag.partner != kNoPartner;
      tag.is_mark =
          tag.name == kColour || (has_partner && (tag.overlaps || tags_[tag.partner].words_before != tag.words_before));
    }
    choose_at_ends();
    return true;
  }

  /// The placeholders that are left; those that touch each other, and pairs that have no words, as one. A <br> stays
  /// alone, because it divides the text.
  std::vector<ByteRange> other_ranges() const {
    std::vector<ByteRange> ranges;
    bool behind_break = false;  // the last one is a <br>
    for (size_t i = 0; i < tags_.size(); ++i) {
      const Tag& tag = tags_[i];
      if (tag.is_mark) continue;
      const bool begins_pair = tag.partner != kNoPartner && tag.partner > i;
      const size_t end = begins_pair ? tags_[tag.partner].range.end : tag.range.end;
      const bool is_break = tag.name == kLineBreak && !begins_pair;
      const bool overlaps = !ranges.empty() && tag.range.begin < ranges.back().end;
      const bool touches = !ranges.empty() && tag.range.begin == ranges.back().end && !is_break && !behind_break;
      behind_break = is_break && !overlaps;
      if (overlaps || touches) {
        ranges.back().end = std::max(ranges.back().end, end);
      } else {
        ranges.push_back({tag.range.begin, end});
      }
    }
    return ranges;
  }

  const std::vector<Tag>& all() const { return tags_; }

 private:
  /// An end tag belongs to the last start tag of its name that is open.
  void pair_up() {
    std::unordered_map<std::string_view, std::vector<size_t>> open;
    for (size_t i = 0; i < tags_.size(); ++i) {
      if (tags_[i].kind == Tag::Kind::kStart) open[tags_[i].name].push_back(i);
      if (tags_[i].kind != Tag::Kind::kEnd) continue;
      std::vector<size_t>& same = open[tags_[i].name];
      if (same.empty()) continue;
      tags_[i].partner = same.back();
      tags_[same.back()].partner = i;
      same.pop_back();
    }
  }
  bool find_overlaps() {
    std::vector<size_t> open;
    for (size_t i = 0; i < tags_.size(); ++i) {
      const size_t other = tags_[i].partner;
      if (other == kNoPartner) continue;
      if (other > i) {
        open.push_back(i);
        if (open.size() > static_cast<size_t>(markup::kDeepestNesting)) return false;
        continue;
      }
      if (tags_[i].overlaps) continue;  // it is no longer among the open ones
      for (; open.back() != other; open.pop_back()) {
        set_overlap(open.back());
        set_overlap(i);
      }
      open.pop_back();
    }
    return true;
  }
  /// Makes pairs of placeholders that stand around words as tags do.
  void pair_around_words() {
    for (size_t i = 0; i + 1 < tags_.size(); ++i) {
      Tag& first = tags_[i];
      Tag& second = tags_[i + 1];
      if (!first.is_free() || !second.is_free() || !stand_around_words(text_, first.range, second.range)) continue;
      first.kind = Tag::Kind::kStart;
      second.kind = Tag::Kind::kEnd;
      first.partner = i + 1;
      second.partner = i++;
    }
  }
  void set_overlap(size_t tag) { tags_[tag].overlaps = tags_[tags_[tag].partner].overlaps = true; }
  void choose_at_ends() {
    size_t at = 0;
    for (auto tag = tags_.begin(); tag != tags_.end() && stays(*tag, Tag::Kind::kStart, {at, tag->range.begin});
         ++tag) {
      tag->is_mark = true;
      at = tag->range.end;
    }
    at = text_.size();
    for (auto tag = tags_.rbegin(); tag != tags_.rend() && stays(*tag, Tag::Kind::kEnd, {tag->range.end, at}); ++tag) {
      tag->is_mark = true;
      at = tag->range.begin;
    }
  }
  /// Whether a tag stays at an end of the text if only `between` is between it and this end.
  bool stays(const Tag& tag, Tag::Kind kind, ByteRange between) const {
    if (text_.find_first_not_of(" \t\n", between.begin) < between.end) return false;
    return tag.is_mark ||
           (tag.partner == kNoPartner && !tag.only_in_pairs && (tag.kind == kind || tag.name == kLineBreak));
  }

  std::string_view text_;
  std::vector<Tag> tags_;
  size_t words_ = 0;
};

Mark mark_of(const std::vector<Tag>& tags, size_t number, std::string raw) {
  const Tag& tag = tags[number];
  Mark mark;
  mark.raw = std::move(raw);
  mark.never_empty = tag.name == ">" || tag.name == kLink;
  if (tag.partner == kNoPartner) return mark;
  if (tag.overlaps) {
    mark.pair = std::min(number, tag.partner) + 1;
  } else {
    mark.kind = tag.kind == Tag::Kind::kStart ? Mark::Kind::kOpen : Mark::Kind::kClose;
  }
  return mark;
}

}  // namespace

bool mark_tags(MarkedText& text, std::vector<ByteRange>& placeholders, const Escape& escape) {
  const std::string whole = text.text;
  Tags tags(whole, placeholders);
  if (!tags.has_words() || !tags.choose()) return false;
  std::vector<ByteRange> ranges = tags.other_ranges();
  text.text.clear();
  auto range = ranges.begin();
  size_t done = 0;
  const auto copy = [&](size_t end) {  // and move the ranges up to there
    for (; range != ranges.end() && range->begin < end; ++range) {
      *range = {range->begin - done + text.text.size(), range->end - done + text.text.size()};
    }
    text.text.append(whole, done, end - done);
  };
  for (size_t i = 0; i < tags.all().size(); ++i) {
    const Tag& tag = tags.all()[i];
    if (!tag.is_mark) continue;
    copy(tag.range.begin);
    const std::string raw = whole.substr(tag.range.begin, tag.range.end - tag.range.begin);
    text.marks.push_back(mark_of(tags.all(), i, escape ? escape(raw) : raw));
    text.marks.back().at = text.text.size();
    done = tag.range.end;
  }
  copy(whole.size());
  placeholders = std::move(ranges);
  return true;
}

}  // namespace ventris::documents
