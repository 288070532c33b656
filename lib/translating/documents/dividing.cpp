#include "documents/dividing.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "documents/sentence_characters.h"
#include "markup/known_blocks.h"
#include "markup/template_pairs.h"
#include "markup/text_cursor.h"

namespace ventris::documents {
namespace {

using markup::kNoPartner;
using markup::kObject;
using markup::Mark;
using markup::Object;
using markup::TemplateTag;

constexpr size_t kMostOfTag = 200;  // bytes that are looked at

/// Whether one of the tags is that of a block, such as <p> or </li>.
bool has_block_tag(std::string_view raw) {
  constexpr std::array<std::string_view, 24> kBlocks{
      "p",  "li", "ul", "ol", "div", "table", "tr", "td",      "th",      "dl",     "dt",         "dd",
      "h1", "h2", "h3", "h4", "h5",  "h6",    "hr", "section", "article", "header", "blockquote", "footer"};
  raw = raw.substr(0, kMostOfTag);
  for (size_t at = raw.find('<'); at != std::string_view::npos; at = raw.find('<', at + 1)) {
    const size_t name = at + (raw.substr(at + 1).starts_with('/') ? 2 : 1);
    const size_t end = std::min(raw.find_first_of(" \t\n/>", name), raw.size());
    if (end > name && std::ranges::find(kBlocks, raw.substr(name, end - name)) != kBlocks.end()) return true;
  }
  return false;
}

/// Whether a tag of a template begins another branch: {% else %}, {{else}}.
bool begins_branch(std::string_view raw) {
  constexpr std::array<std::string_view, 7> kBranches{"else", "elif", "elsif", "elseif", "empty", "when", "plural"};
  const auto is_branch = [&](std::string_view name) { return std::ranges::find(kBranches, name) != kBranches.end(); };
  if (raw.starts_with("{%")) return is_branch(markup::name_of_template(raw));
  if (!raw.starts_with("{{")) return false;
  const size_t begin = std::min(raw.find_first_not_of(" ~", 2), raw.size());
  return is_branch(raw.substr(begin, std::min(raw.find_first_of(" ~}", begin), raw.size()) - begin));
}

/// Whether a tag of a template says what happens, and stands for no text: {% load x %}, <% if a %>. Others are a part
/// of a sentence: {% url "a" %}, <%= name %>.
bool is_statement(std::string_view raw) {
  constexpr std::array<std::string_view, 24> kNames{
      "if",  "unless",     "for",       "ifchanged", "case",    "block",    "extends", "load",
      "use", "with",       "macro",     "call",      "filter",  "set",      "assign",  "capture",
      "raw", "autoescape", "spaceless", "cache",     "comment", "verbatim", "layout",  "from"};
  if (raw.starts_with("<%")) return !raw.starts_with("<%=") && !raw.starts_with("<%-");
  if (raw.starts_with("<?")) return !raw.starts_with("<?=");
  if (!raw.starts_with("{%")) return raw.starts_with("{{#") || raw.starts_with("{{^") || raw.starts_with("{{/");
  const std::string name = markup::name_of_template(raw);
  return name.starts_with("end") || std::ranges::find(kNames, name) != kNames.end();
}

/// Whether the object is only tags of templates that are statements or begin branches, and spaces.
bool has_only_statements(std::string_view raw) {
  if (raw.size() > kMostOfTag) raw = raw.substr(0, kMostOfTag);
  bool any = false;
  for (size_t at = raw.find_first_not_of(" \t\n"); at < raw.size(); at = raw.find_first_not_of(" \t\n", at)) {
    const std::string_view tag = raw.substr(at);
    const std::string_view end = tag.starts_with("{%")   ? "%}"
                                 : tag.starts_with("{{") ? "}}"
                                 : tag.starts_with("<%") ? "%>"
                                                         : "?>";
    const size_t last = std::min(tag.find(end), tag.size() - end.size()) + end.size();
    if (!is_statement(tag.substr(0, last)) && !begins_branch(tag.substr(0, last))) return false;
    any = true;
    at += last;
  }
  return any;
}

bool is_template(const Mark& mark) {
  return mark.raw.starts_with("{") && markup::read_template_tag(mark.raw).kind != TemplateTag::Kind::kNone;
}

/// What stands in a text: an object, or a mark.
struct Sign {
  ByteRange place;
  const std::string* raw;
  size_t mark = kNoPartner;  // the number of a mark
};

class Divider {
 public:
  Divider(const MarkedText& text, const SentenceSplitter* splitter)
      : text_(text), splitter_(splitter), partners_(markup::partners(text.marks)), divides_(text.marks.size()) {
    auto mark = text.marks.begin();
    const auto add_marks = [&](size_t end) {
      for (; mark != text.marks.end() && mark->at <= end; ++mark) {
        signs_.push_back({{mark->at, mark->at}, &mark->raw, static_cast<size_t>(mark - text.marks.begin())});
      }
    };
    for (const Object& object : text.objects) {
      add_marks(object.at);
      signs_.push_back({{object.at, object.at + kObject.size()}, &object.raw});
    }
    add_marks(text.text.size());
  }

  std::vector<ByteRange> parts() {
    find_branches();
    const size_t first = end_of_prefix(), last = begin_of_suffix(first);
    std::vector<ByteRange> parts;
    if (first > 0) parts.push_back({0, first});
    size_t begin = first;
    for (size_t i = 0; i < signs_.size(); ++i) {
      const bool inside = signs_[i].place.begin >= first && signs_[i].place.end <= last;
      if (!inside || !divides(i)) continue;
      parts.push_back({begin, signs_[i].place.begin});
      begin = signs_[i].place.end;
    }
    parts.push_back({begin, last});
    if (last < text_.text.size()) parts.push_back({last, text_.text.size()});
    return parts;
  }

 private:
  size_t after_spaces(size_t at) const {
    return std::min(text_.text.find_first_not_of(" \t\n", at), text_.text.size());
  }

  /// The end of objects in front of a sentence, with a colon or dash behind them: "{x}: One is two."; 0 if there are
  /// none, or what follows is no whole sentence.
  size_t end_of_prefix() const {
    const std::string_view text = text_.text;
    size_t at = after_spaces(0), end = 0;
    for (auto object = text_.objects.begin(); object != text_.objects.end() && object->at == at; ++object) {
      end = at + kObject.size();
      at = after_spaces(end);
    }
    if (end == 0 || at == text.size()) return 0;
    const UChar32 sign = markup::character_at(text, at);
    const size_t behind = goes_on(sign) ? markup::after_character(text, at) : at;
    const size_t sentence = after_spaces(behind);
    const bool spaced = sentence > behind || (behind == at && at > end);
    const bool whole = u_isupper(markup::character_at(text, sentence)) != 0 && is_terminator(last_character());
    return spaced && whole ? sentence : 0;
  }

  /// The last character that is neither a space nor an object.
  UChar32 last_character() const {
    const std::string_view text = text_.text;
    size_t at = end_without_objects();
    return at == 0 ? -1 : markup::previous_character(text, at);
  }
  /// Where spaces and objects at the end of the text begin.
  size_t end_without_objects() const {
    size_t end = text_.text.find_last_not_of(" \t\n") + 1;
    for (auto object = text_.objects.rbegin(); object != text_.objects.rend(); ++object) {
      if (object->at + kObject.size() != end) break;
      end = object->at == 0 ? 0 : text_.text.find_last_not_of(" \t\n", object->at - 1) + 1;
    }
    return end;
  }

  /// Where objects behind the last sentence begin, with a space between: "One is two. {x}"; the end of the text if
  /// there are none.
  size_t begin_of_suffix(size_t least) const {
    const size_t end = end_without_objects();
    const bool spaced = end > least && end < text_.text.size() && text_.text[end] == ' ';
    return spaced && is_terminator(last_character()) ? end : text_.text.size();
  }

  /// Marks the tags of templates that have branches, and those of pairs that directly follow each other.
  void find_branches() {
    std::vector<size_t> open;      // pairs of templates
    size_t closed = kNoPartner;  // the last mark of a pair, if only spaces follow it
    for (const Sign& sign : signs_) {
      if (closed != kNoPartner && !is_blank({text_.marks[closed].at, sign.place.begin})) closed = kNoPartner;
      if (sign.mark == kNoPartner) {
        if (!open.empty() && begins_branch(*sign.raw)) set_divides(open.back());
        closed = kNoPartner;
        continue;
      }
      const Mark& mark = text_.marks[sign.mark];
      if (partners_[sign.mark] == kNoPartner || !is_template(mark)) continue;
      if (mark.kind == Mark::Kind::kOpen) {
        open.push_back(sign.mark);
        if (closed != kNoPartner) {
          set_divides(closed);
          set_divides(sign.mark);
        }
      } else if (!open.empty() && partners_[sign.mark] == open.back()) {
        open.pop_back();
        closed = sign.mark;
      }
    }
  }
  void set_divides(size_t mark) { divides_[mark] = divides_[partners_[mark]] = true; }
  bool is_blank(ByteRange range) const { return text_.text.find_first_not_of(" \t\n", range.begin) >= range.end; }

  bool divides(size_t number) const {
    const Sign& sign = signs_[number];
    const bool is_mark = sign.mark != kNoPartner;
    if (is_mark && (divides_[sign.mark] || text_.marks[sign.mark].divides)) return true;
    if (has_block_tag(*sign.raw)) return true;
    if (!is_mark && has_only_statements(*sign.raw)) return true;
    return splitter_ != nullptr && (is_between_sentences(number) || (!is_mark && stands_between_sentences(sign.place)));
  }

  /// Whether an object stands between spaces, behind a sentence and before a capital letter.
  bool stands_between_sentences(ByteRange object) const {
    constexpr size_t kShown = 100;  // bytes in which the splitter looks for an abbreviation
    const std::string& text = text_.text;
    const size_t next = after_spaces(object.end);
    if (next == object.end || u_isupper(markup::character_at(text, next)) == 0) return false;
    if (object.begin < 2 || text[object.begin - 1] != ' ') return false;
    const size_t end = text.find_last_not_of(' ', object.begin - 1) + 1;
    size_t last = end;
    if (end == 0 || !is_terminator(markup::previous_character(text, last))) return false;
    size_t begin = end > kShown ? text.find(' ', end - kShown) : 0;
    if (begin >= end) begin = 0;
    const std::string shown = text.substr(begin, end - begin) + " Anna";
    const std::vector<ByteRange> sentences = splitter_->split(shown);
    return sentences.back().end - sentences.back().begin == 4;
  }

  /// Whether the sign is the first one of several behind the end of a sentence, and a capital letter follows them.
  bool is_between_sentences(size_t number) const {
    const std::string_view text = text_.text;
    const ByteRange first = signs_[number].place;
    if (first.begin == 0 || (number > 0 && signs_[number - 1].place.end == first.begin)) return false;
    if (signs_[number].raw->starts_with("<wbr")) return false;
    size_t before = first.begin;
    const UChar32 last = markup::previous_character(text, before);
    if (!is_terminator(last) || u_isalnum(markup::character_before(text, before)) == 0) return false;
    size_t end = first.end;
    for (size_t i = number + 1; i < signs_.size() && signs_[i].place.begin == end; ++i) end = signs_[i].place.end;
    return u_isupper(markup::character_at(text, end)) != 0;
  }

  const MarkedText& text_;
  const SentenceSplitter* splitter_;  // null: sentences are not divided
  const std::vector<size_t> partners_;
  std::vector<bool> divides_;  // of each mark: it is a tag of a branch
  std::vector<Sign> signs_;    // in their order
};

}  // namespace

std::vector<ByteRange> divided(const MarkedText& text, const SentenceSplitter* splitter) {
  if (text.marks.empty() && text.objects.empty()) return {{0, text.text.size()}};
  return Divider(text, splitter).parts();
}

}  // namespace ventris::documents
