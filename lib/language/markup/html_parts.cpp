#include "markup/html_parts.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "markup/characters.h"
#include "markup/code_ends.h"
#include "markup/code_in_html_text.h"
#include "markup/html.h"
#include "markup/html_token.h"
#include "markup/jsx_tags.h"
#include "markup/parsing_limits.h"
#include "markup/template_pairs.h"

namespace ventris::markup {
namespace {

using Names = std::set<std::string_view>;
using TokenKind = HtmlToken::Kind;

/// Elements that are a part of a sentence.
const Names kInline{"a",     "abbr", "acronym", "b",       "bdi",      "bdo",    "big",   "cite",   "data",   "del",
                    "dfn",   "em",   "font",    "i",       "img",      "ins",    "label", "mark",   "q",      "s",
                    "small", "span", "sub",     "sup",     "time",     "u",      "wbr",   "strike", "strong", "nobr",
                    "meter", "slot", "output",  "picture", "progress", "source", "ruby",  "rb"};
/// Elements inside a sentence whose content is not translated: code, and how the words of <ruby> are read.
const Names kInlineCode{"code", "kbd", "samp", "tt", "var", "svg", "math", "rt", "rp", "rtc"};
const Names kBlockCode{"pre", "script",   "style",        "textarea",       "template",   "iframe",
                       "xmp", "noscript", "ac:parameter", "ac:task-status", "ac:task-id", "ac:plain-text-body"};
/// Elements of code that readers see: their attributes are texts, such as the placeholder of a <textarea>.
const Names kShown{"textarea", "iframe", "svg"};
/// Elements that end an <svg> or <math> whose end tag is missing, and those in which they do not.
const Names kEndsForeign{"b",      "big",    "blockquote", "body",  "br",  "center", "code", "dd",   "div",
                         "dl",     "dt",     "em",         "embed", "h1",  "h2",     "h3",   "h4",   "h5",
                         "h6",     "head",   "hr",         "i",     "img", "li",     "menu", "meta", "nobr",
                         "ol",     "p",      "pre",        "ruby",  "s",   "small",  "span", "sub",  "sup",
                         "strong", "strike", "table",      "tt",    "u",   "ul",     "var"};
constexpr std::string_view kHtmlInForeign[] = {"foreignobject", "desc", "title", "annotation-xml"};

/// Turns the tokens of a document into parts: pairs start and end tags, and hides what is not translated. End tags
/// close the last open element with their name. So each mark stays what it is, even where tags are not nested.
class HtmlParts {
 public:
  /// `tags`: the document with_hidden_templates().
  HtmlParts(std::string_view document, std::string_view tags, const std::vector<HtmlTemplate>& templates)
      : document_(document), tags_(tags), templates_(templates), code_(document), limits_(document) {}

  std::vector<Part> read() {
    for (size_t at = 0; at < document_.size();) {
      if (begins_template(at)) {
        at = add_template();
        continue;
      }
      HtmlToken token = at < text_end_ ? HtmlToken{TokenKind::kText, {at, text_end_}} : html_token(tags_, at);
      if (token.kind == TokenKind::kText) {
        text_end_ = token.range.end;
        token.range.end = std::min(token.range.end, next_template(at));
      }
      add(token);
      at = token.range.end;
      if (token.kind == TokenKind::kStartTag && !is_foreign()) at = add_raw_text(token);
    }
    if (!codes_.empty()) hide_unclosed(codes_.front());
    separate_overlapping_pairs();
    pair_templates(document_, parts_);
    return std::move(parts_);
  }

 private:
  /// A start tag that has no end tag yet. It is out of date if its part was replaced with an element around it.
  struct Open {
    size_t part = 0, begin = 0;
    bool hidden = false;
    bool translated = false;  // translate="yes"
    bool note = false;        // it refers to a note
  };
  /// An element of code that has no end tag yet.
  struct Code {
    size_t part = 0;
    std::string name;
  };
  using CodeNames = std::vector<std::string>;

  /// The byte at which the next template begins, from this one on.
  size_t next_template(size_t at) {
    while (template_ < templates_.size() && templates_[template_].range.begin < at) ++template_;
    return template_ < templates_.size() ? templates_[template_].range.begin : document_.size();
  }
  bool begins_template(size_t at) { return at < document_.size() && next_template(at) == at; }
  /// Adds the next template. Returns its end.
  size_t add_template() {
    const HtmlTemplate& code = templates_[template_];
    const Part::Kind object = fills_lines(code.range) ? Part::Kind::kKept : Part::Kind::kHidden;
    add_part(code.range, code.comment ? Part::Kind::kMark : object);
    return code.range.end;
  }
  /// Whether it has lines of its own, more than one, such as code that a template does not read.
  bool fills_lines(ByteRange range) const {
    if (document_.substr(range.begin, range.end - range.begin).find('\n') == std::string_view::npos) return false;
    const size_t before = document_.substr(0, range.begin).find_last_not_of(" \t") + 1;  // 0: only blanks
    const size_t next = range.end + run_of(document_, range.end, " \t\r");
    return (before == 0 || document_[before - 1] == '\n') && (next == document_.size() || document_[next] == '\n');
  }

  void add_part(ByteRange range, Part::Kind kind, Mark::Kind mark = Mark::Kind::kAlone, std::string text = {}) {
    if (range.end == range.begin) return;
    limits_.count(range.begin);
    parts_.push_back({range, kind, mark, std::move(text)});
  }
  void add(const HtmlToken& token) {
    switch (token.kind) {
      case TokenKind::kText: return add_text(token.range);
      case TokenKind::kComment: return add_part(token.range, Part::Kind::kMark);
      case TokenKind::kDoctype:
      case TokenKind::kCutTag: return add_part(token.range, Part::Kind::kKept);
      case TokenKind::kStartTag: {
        const CodeNames goes_on = end_code_at_start(token.name);
        open(token);
        return reopen(goes_on, token.range.end);
      }
      case TokenKind::kEndTag: {
        const CodeNames goes_on = end_code_at_end(token.name);
        close(token);
        return reopen(goes_on, token.range.end);
      }
    }
  }
  void add_text(ByteRange range) {
    const std::vector<TextCode> all = codes_.empty() ? code_.find(range) : std::vector<TextCode>();
    for (const TextCode& code : all) {
      add_words({range.begin, code.range.begin});
      add_part(code.range, code.statement ? Part::Kind::kKept : Part::Kind::kHidden);
      range.begin = code.range.end;
    }
    add_words(range);
  }
  void add_words(ByteRange range) {
    add_part(range, Part::Kind::kText, {}, decode_entities(document_.substr(range.begin, range.end - range.begin)));
  }
  /// Adds the content of <title>, and keeps that of other elements without tags. Returns its end.
  size_t add_raw_text(const HtmlToken& tag) {
    const ByteRange content{tag.range.end, end_of_raw_text(tags_, tag.range.end, tag.name)};
    if (tag.name == "title") {
      for (size_t at = content.begin; at < content.end;) {
        const size_t end = std::min(next_template(at), content.end);
        if (end > at) add_text({at, end});
        at = begins_template(end) && end < content.end ? add_template() : end;
      }
    } else {
      add_part(content, Part::Kind::kKept);
    }
    return content.end;
  }

  Open opened(const HtmlToken& tag, bool hidden) const {
    const bool note = tag.name == "a" && refers_to_note(tags_, tag, parts_);
    return {parts_.size(), tag.range.begin, hidden, tag.translated, note};
  }
  void open(const HtmlToken& tag) {
    const HtmlRole role = role_of_element(tag.name);
    const bool is_inline = role == HtmlRole::kInline || role == HtmlRole::kInlineCode;
    const bool code = role == HtmlRole::kInlineCode || role == HtmlRole::kBlockCode;
    const bool hidden = tag.untranslated || (code && !tag.translated);
    if (kEndsForeign.contains(tag.name) && is_foreign() && !is_html_in_foreign()) {
      end_code(0, [](const Code& foreign) { return foreign.name == "svg" || foreign.name == "math"; });
      open_["svg"].clear();
      open_["math"].clear();
    }
    const bool root = tag.name == "svg" || tag.name == "math";
    const bool empty = is_void_element(tag.name) || (tag.self_closing && (root || is_foreign()));
    if (!empty) open_[tag.name].push_back(opened(tag, hidden));
    if (!empty && code && hidden) codes_.push_back({parts_.size(), tag.name});
    add_part(tag.range, is_inline ? Part::Kind::kMark : Part::Kind::kKept);  // a mark is alone until it is closed
    parts_.back().start_tag = true;
  }

  void close(const HtmlToken& tag) {
    const Open* found = last_open(tag.name);
    const HtmlRole role = role_of_element(tag.name);
    const bool formula = found != nullptr && tag.name == "script" && is_formula(html_token(tags_, found->begin));
    const bool is_inline = role == HtmlRole::kInline || role == HtmlRole::kInlineCode || formula;
    if (found == nullptr) return add_part(tag.range, Part::Kind::kKept);
    Open start = *found;
    open_[tag.name].pop_back();
    const bool sign = !start.hidden && is_sign(start.note ? "sup" : tag.name, start.part);
    start.hidden = start.hidden || sign;
    if (start.hidden) forget_code(start.part);
    if (start.hidden && has_settled(start.part)) {
      add_part(tag.range, Part::Kind::kKept);
      keep_around_settled(start.part);
    } else if (start.hidden) {
      drop_from(start.part);
      add_part({start.begin, tag.range.end}, is_inline ? Part::Kind::kHidden : Part::Kind::kKept);
      parts_.back().start_tag = sign || kShown.contains(tag.name);
    } else if (is_inline) {
      parts_[start.part].mark = Mark::Kind::kOpen;
      pairs_.push_back({start.part, parts_.size()});
      add_part(tag.range, Part::Kind::kMark, Mark::Kind::kClose);
    } else {
      add_part(tag.range, Part::Kind::kKept);
    }
    if (start.translated) settle_from(start.part);
  }

  /// Whether a script is a formula of MathJax: <script type="math/tex">.
  bool is_formula(const HtmlToken& script) const {
    const auto type = attribute(tags_, script, "type");
    return type && tags_.substr(type->begin).starts_with("math/");
  }

  /// Whether the element that begins with this part, and ends here, is only a sign that stays (is_only_sign).
  bool is_sign(const std::string& name, size_t part) const {
    constexpr size_t kMostParts = 8;  // it is short
    if (parts_.size() - part > kMostParts) return false;
    std::string text;
    for (size_t i = part + 1; i < parts_.size(); ++i) {
      if (parts_[i].kind == Part::Kind::kKept || parts_[i].kind == Part::Kind::kHidden) return false;
      text += parts_[i].text;
    }
    return is_sign_or_index(name, text_before(parts_, part), text);
  }

  void forget_code(size_t part) {
    while (!codes_.empty() && codes_.back().part >= part) codes_.pop_back();
  }

  /// Ends code without an end tag at the end tag of an element around it. Returns the code inside it that goes on.
  CodeNames end_code_at_end(const std::string& name) {
    const Open* around = codes_.empty() ? nullptr : last_open(name);
    if (around == nullptr) return {};
    return end_code(around->part + 1,
                    [&](const Code& code) { return code.name != name && ends_with(code.name, name); });
  }
  /// The same for a start tag.
  CodeNames end_code_at_start(const std::string& name) {
    if (codes_.empty()) return {};
    for (const std::string_view ended : ended_by_start_tag(name)) {
      const Open* around = last_open(std::string(ended));
      if (around == nullptr || around->part > codes_.front().part) continue;
      return end_code(around->part + 1, [&](const Code& code) { return ends_at_start_tag(code.name, ended); });
    }
    return {};
  }
  /// Ends the outermost code if its part is not before `least`, and `ends` says so.
  template <typename Ends>
  CodeNames end_code(size_t least, const Ends& ends) {
    if (codes_.empty() || codes_.front().part < least || !ends(codes_.front())) return {};
    CodeNames going_on;
    for (const Code& code : codes_) {
      if (is_formatting_code(code.name) && !ends(code)) going_on.push_back(code.name);
    }
    hide_unclosed(codes_.front());
    return going_on;
  }
  void reopen(const CodeNames& names, size_t begin) {
    for (const std::string& name : names) {
      open_[name].push_back({parts_.size(), begin, true});
      codes_.push_back({parts_.size(), name});
    }
  }

  /// Hides an element that has no end tag, up to the end of what was read: what is inside its sentence as an object,
  /// and all that follows.
  // NOLINTNEXTLINE(performance-unnecessary-value-param): the one in codes_ goes
  void hide_unclosed(Code code) {
    const size_t part = code.part;
    if (part >= parts_.size()) return forget_code(part);
    if (has_settled(part)) return keep_around_settled(part);
    const bool is_inline = role_of_element(code.name) == HtmlRole::kInlineCode;
    size_t kept = part;
    while (is_inline && kept < parts_.size() && parts_[kept].kind != Part::Kind::kKept) ++kept;
    const size_t begin = parts_[part].range.begin, end = parts_.back().range.end;
    const size_t middle = kept < parts_.size() ? parts_[kept].range.begin : end;
    drop_from(part);
    size_t text = middle;  // "<" at its end could begin a tag elsewhere
    while (text > begin && document_[text - 1] == '<') --text;
    add_part({begin, text}, Part::Kind::kHidden);
    if (text < middle) add_text({text, middle});
    add_part({middle, end}, Part::Kind::kKept);
  }

  /// From this part on, all parts stay what they are, even inside an element that is not translated.
  void settle_from(size_t part) {
    while (has_settled(part)) settled_.pop_back();
    settled_.push_back({part, parts_.size()});
  }
  bool has_settled(size_t part) const { return !settled_.empty() && settled_.back().begin >= part; }

  /// Keeps the parts from this one on, apart from those that are settled.
  void keep_around_settled(size_t part) {
    forget_code(part);
    size_t end = parts_.size();
    const auto keep = [&](size_t begin) {
      for (size_t i = begin; i < end; ++i) parts_[i] = {parts_[i].range, Part::Kind::kKept};
    };
    for (; has_settled(part); settled_.pop_back()) {
      keep(settled_.back().end);
      end = settled_.back().begin;
    }
    keep(part);
    for (auto pair = pairs_.rbegin(); pair != pairs_.rend() && pair->end >= part; ++pair) {
      const bool whole = parts_[pair->begin].kind == parts_[pair->end].kind;
      if (!whole) parts_[pair->begin].mark = parts_[pair->end].mark = Mark::Kind::kAlone;
    }
    settle_from(part);
  }

  /// Of pairs that are not nested in each other, the halves of one are marks alone, which stay in order.
  void separate_overlapping_pairs() {
    std::vector<size_t> open;
    size_t pair = 0;
    for (size_t i = 0; i < parts_.size() && pair < pairs_.size(); ++i) {
      if (parts_[i].kind == Part::Kind::kMark && parts_[i].mark == Mark::Kind::kOpen) open.push_back(i);
      if (i != pairs_[pair].end) continue;
      const size_t first = pairs_[pair++].begin;
      if (parts_[i].mark != Mark::Kind::kClose) continue;
      while (parts_[open.back()].mark != Mark::Kind::kOpen) open.pop_back();
      if (open.back() == first) {
        open.pop_back();
      } else {
        parts_[first].mark = parts_[i].mark = Mark::Kind::kAlone;
        parts_[first].pair = parts_[i].pair = first + 1;
      }
    }
  }

  /// Drops the parts from this one on. The first half of a pair whose second half is dropped is alone again.
  void drop_from(size_t part) {
    for (; !pairs_.empty() && pairs_.back().end >= part; pairs_.pop_back()) {
      parts_[pairs_.back().begin].mark = Mark::Kind::kAlone;
    }
    parts_.resize(part);
    forget_code(part);
    while (has_settled(part)) settled_.pop_back();
  }

  /// Null if no element of this name is open.
  const Open* last_open(const std::string& name) {
    const auto found = open_.find(name);
    if (found == open_.end()) return nullptr;
    std::vector<Open>& all = found->second;
    const auto is_there = [&](const Open& open) {
      return open.part < parts_.size() && parts_[open.part].range.begin == open.begin;
    };
    while (!all.empty() && !is_there(all.back())) all.pop_back();
    return all.empty() ? nullptr : &all.back();
  }
  bool is_foreign() { return last_open("svg") != nullptr || last_open("math") != nullptr; }
  bool is_html_in_foreign() {
    return std::ranges::any_of(kHtmlInForeign, [&](std::string_view name) { return last_open(std::string(name)); });
  }

  std::string_view document_, tags_;
  const std::vector<HtmlTemplate>& templates_;
  CodeInHtmlText code_;
  size_t template_ = 0;  // the next one
  size_t text_end_ = 0;  // of the text that was read last, which templates divide
  ParsingLimits limits_;
  std::vector<Part> parts_;
  std::map<std::string, std::vector<Open>> open_;  // by name
  std::vector<Code> codes_;                        // by their parts
  std::vector<ByteRange> pairs_;                   // the numbers of both parts of each pair, by the second
  std::vector<ByteRange> settled_;                 // numbers of parts that are not hidden any more
};

/// Whether a sentence goes on at this line end, behind which the text goes on at `next`.
bool goes_on_at(std::string_view document, size_t at, size_t next) {
  constexpr size_t kMost = 200;  // bytes that are looked at
  const size_t first = at - std::min(at, kMost), line_end = document.substr(0, at).rfind('\n');
  const size_t begin = line_end != std::string_view::npos && line_end >= first ? line_end + 1 : first;
  return line_goes_on(document.substr(begin, at - begin), document.substr(next, kMost));
}

}  // namespace

std::vector<Part> html_parts(std::string_view document, std::string_view tags,
                             const std::vector<HtmlTemplate>& templates) {
  return HtmlParts(document, tags, templates).read();
}

std::vector<Part> html_parts_inside(std::string_view document, text::ByteRange range) {
  const std::string_view html = document.substr(range.begin, range.end - range.begin);
  const std::vector<HtmlTemplate> templates = find_templates(html);
  const std::string tags = with_plain_tags(with_hidden_templates(html, templates), jsx_in_tags(html));
  std::vector<Part> parts = html_parts(html, tags, templates);
  for (Part& part : parts) {
    part.range = {part.range.begin + range.begin, part.range.end + range.begin};
    part.escaping = Escaping::kHtml;
  }
  return parts;
}

std::vector<Part> divided_at_lines(std::string_view document, std::vector<Part> parts, LineEnds ends) {
  std::vector<Part> divided;
  const auto add = [&](const Part& text, ByteRange range, Part::Kind kind) {
    if (range.begin == range.end) return;
    divided.push_back({range, kind});
    divided.back().escaping = text.escaping;
    if (kind == Part::Kind::kText)
      divided.back().text = decode_entities(document.substr(range.begin, range.end - range.begin));
  };
  for (Part& part : parts) {
    if (part.kind != Part::Kind::kText) {
      divided.push_back(std::move(part));
      continue;
    }
    const std::string_view text = document.substr(0, part.range.end);
    size_t begin = part.range.begin;
    for (size_t at = text.find('\n', begin); at < text.size(); at = text.find('\n', at + 1)) {
      const size_t next = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
      const bool blank_line = std::ranges::count(text.substr(at, next - at), '\n') > 1;
      const bool ends_text = blank_line || (ends == LineEnds::kAll && !goes_on_at(document, at, next));
      const bool goes_on = !divided.empty() && divided.back().kind != Part::Kind::kKept;
      if (ends_text && (goes_on || text.find_first_not_of(" \t\r\n", begin) < at)) {
        add(part, {begin, at}, Part::Kind::kText);
        add(part, {at, next}, Part::Kind::kKept);
        begin = next;
      }
      at = std::max(at, next - 1);
    }
    if (begin == part.range.begin) {
      divided.push_back(std::move(part));
    } else {
      add(part, {begin, text.size()}, Part::Kind::kText);
    }
  }
  return divided;
}

HtmlRole role_of_element(const std::string& name) {
  if (kBlockCode.contains(name)) return HtmlRole::kBlockCode;
  if (kInline.contains(name) || is_element_of_program(name)) return HtmlRole::kInline;
  return kInlineCode.contains(name) ? HtmlRole::kInlineCode : HtmlRole::kBlock;
}

}  // namespace ventris::markup
