#include "documents/dividing.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "core/ascii.h"
#include "documents/sentence_characters.h"
#include "markup/angular_names.h"
#include "markup/characters.h"
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

/// Whether it begins with the tag of a block, such as <p> or </li>, or with <br>, or is such a tag of Angular.
bool is_block_tag(std::string_view raw) {
  constexpr std::array<std::string_view, 25> kBlocks{
      "br", "p",  "li", "ul", "ol", "div", "table", "tr",      "td",      "th",     "dl",         "dt",    "dd",
      "h1", "h2", "h3", "h4", "h5", "h6",  "hr",    "section", "article", "header", "blockquote", "footer"};
  if (raw.starts_with("{$") && raw.ends_with('}')) return markup::is_angular_block(raw.substr(2, raw.size() - 3));
  if (!raw.starts_with('<')) return false;
  const size_t name = raw.substr(1).starts_with('/') ? 2 : 1;
  const size_t end = std::min(raw.substr(0, kMostOfTag).find_first_of(" \t\n/>", name), raw.size());
  const std::string lower = core::in_lower_case(raw.substr(name, end - name));
  return std::ranges::find(kBlocks, lower) != kBlocks.end();
}

/// Whether it stands for a line end, such as <br>, {br} and a written "\\n".
bool is_line_break(std::string_view raw) {
  constexpr std::array<std::string_view, 8> kBeginnings{"<br", "<1/>", "<x ", "<ph ", "{br}", "{nl}", "\\n", "%n"};
  return std::ranges::any_of(kBeginnings, [&](std::string_view begin) { return raw.starts_with(begin); });
}

/// Whether a program puts a text in its place, so that it may be a word of the sentence.
bool is_value(std::string_view raw) {
  return raw.starts_with("<%") || raw.starts_with("<?") ||
         (!raw.empty() && std::string_view("{%$#@:_&").find(raw.front()) != std::string_view::npos);
}

/// The word that follows the signs at the beginning of a tag of a template.
std::string_view word_of(std::string_view raw, size_t signs) {
  const size_t begin = std::min(raw.find_first_not_of(" ~-", signs), raw.size());
  return raw.substr(begin, std::min(raw.find_first_of(" ~}%?;:(", begin), raw.size()) - begin);
}

/// Whether a tag of a template begins another branch: {% else %}, {{else}}.
bool begins_branch(std::string_view raw) {
  constexpr std::array<std::string_view, 7> kBranches{"else", "elif", "elsif", "elseif", "empty", "when", "plural"};
  if (raw.starts_with("{{")) return word_of(raw, 2) == "else";
  return raw.starts_with("{%") && std::ranges::find(kBranches, markup::name_of_template(raw)) != kBranches.end();
}

/// Whether a tag of a template says what happens, and stands for no text: {% load x %}, <% if a %>. Others are a part
/// of a sentence: {% url "a" %}, <%= name %>, <?php echo $a ?>.
bool is_statement(std::string_view raw) {
  constexpr std::array<std::string_view, 29> kNames{
      "if",        "unless", "for",     "ifchanged", "case",   "block",  "extends",    "load",  "use",
      "with",      "macro",  "call",    "filter",    "set",    "assign", "capture",    "raw",   "autoescape",
      "spaceless", "cache",  "comment", "verbatim",  "layout", "from",   "blocktrans", "trans", "blocktranslate",
      "highlight", "each"};
  const auto is_known = [&](std::string_view name) { return std::ranges::find(kNames, name) != kNames.end(); };
  if (raw.starts_with("<%")) return raw.size() > 2 && std::string_view("=-:#").find(raw[2]) == std::string_view::npos;
  if (raw.starts_with("<?php")) return word_of(raw, 5) != "echo" && word_of(raw, 5) != "print";
  if (raw.starts_with("<?")) return false;
  if (raw.starts_with("{{")) {
    const std::string_view word = word_of(raw, 2);
    if (word.starts_with('$') && raw.find(":=") != std::string_view::npos) return true;  // "{{ $a := 1 }}" of Go
    return word.starts_with('#') || word.starts_with('^') || word.starts_with('/') ||
           (markup::is_go_section(raw) && !markup::is_go_end(raw));
  }
  if (!raw.starts_with("{%")) return false;
  const std::string name = markup::name_of_template(raw);
  return name == "end" || (name != "trans" && is_known(name)) || (name.starts_with("end") && is_known(name.substr(3)));
}

/// Whether the object is only tags of templates that are statements or begin branches, and spaces. "{{ end }}" alone is
/// rather a value.
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
    const bool end_of_go = markup::is_go_end(tag.substr(0, last));
    if (!end_of_go && !is_statement(tag.substr(0, last)) && !begins_branch(tag.substr(0, last))) return false;
    any = any || !end_of_go;
    at += last;
  }
  return any;
}

bool is_template(const Mark& mark) {
  return mark.raw.starts_with("{") && markup::read_template_tag(mark.raw).kind != TemplateTag::Kind::kNone;
}

/// Whether it is a tag around a section of a page, {% if a %} or {{#a}}, and not around words, {b}.
bool is_section(std::string_view raw) { return raw.starts_with("{%") || raw.starts_with("{{"); }

/// Whether it is a tag that says when or how often something is shown, or what part of a page it is.
bool is_condition(std::string_view raw) {
  constexpr std::array<std::string_view, 9> kNames{"if",   "unless", "each", "for",    "ifchanged",
                                                   "case", "block",  "with", "comment"};
  if (raw.starts_with("{{")) {
    const std::string_view word = word_of(raw, 2);
    if (word.starts_with('^') || markup::is_go_section(raw)) return true;
    return word.starts_with('#') && std::ranges::find(kNames, word.substr(1)) != kNames.end();
  }
  return std::ranges::find(kNames, markup::name_of_template(raw)) != kNames.end();
}

/// Whether a reader may see nothing of it: {# comment #}, {{! comment }}, {{/* comment */}}, {% tag %}.
bool may_be_invisible(std::string_view raw) {
  return raw.starts_with("{#") || raw.starts_with("{%") || raw.starts_with("<!--") ||
         (raw.starts_with("{{") && (word_of(raw, 2).starts_with('!') || word_of(raw, 2).starts_with("/*")));
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
    const size_t end = end_without_objects();
    const bool whole = is_terminator(markup::character_before(text_.text, end));
    const size_t first = whole ? end_of_prefix() : 0, last = whole ? begin_of_suffix(first, end) : text_.text.size();
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

  /// The end of objects in front of a whole sentence, with a colon or dash behind them: "{x}: One is two."; 0 if there
  /// are none, or no capital letter follows.
  size_t end_of_prefix() const {
    const std::string_view text = text_.text;
    size_t at = after_spaces(0), end = 0;
    bool value = false;  // one of them may be a word of the sentence
    for (auto object = text_.objects.begin(); object != text_.objects.end() && object->at == at; ++object) {
      value = value || is_value(object->raw);
      end = at + kObject.size();
      at = after_spaces(end);
    }
    if (end == 0 || at == text.size()) return 0;
    const UChar32 sign = markup::character_at(text, at);
    const size_t behind = goes_on(sign) ? markup::after_character(text, at) : at;
    const size_t sentence = after_spaces(behind);
    const bool spaced = sentence > behind || (behind == at && at > end);
    const bool begins = u_isupper(markup::character_at(text, sentence)) != 0;
    return spaced && begins && !(value && behind == at) ? sentence : 0;
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

  /// Where objects behind the last sentence, which ends at `end`, begin, with a space between: "One is two. {x}"; the
  /// end of the text if there are none.
  size_t begin_of_suffix(size_t least, size_t end) const {
    const bool spaced = end > least && end < text_.text.size() && text_.text[end] == ' ';
    return spaced ? end : text_.text.size();
  }

  /// Marks the tags of templates around texts of their own: pairs that have branches ({% else %}), and pairs that stand
  /// beside each other, such as {{#a}}...{{/a}}{{^a}}...{{/a}}.
  void find_branches() {
    std::vector<size_t> open;    // pairs of templates
    size_t closed = kNoPartner;  // the last mark of a pair, if nothing that is shown follows it
    size_t done = 0;             // bytes that were looked at
    for (const Sign& sign : signs_) {
      const bool shown = sign.mark == kNoPartner && !may_be_invisible(*sign.raw);
      if (!is_blank({done, sign.place.begin}) || shown) closed = kNoPartner;
      done = sign.place.end;
      if (sign.mark == kNoPartner) {
        if (!open.empty() && begins_branch(*sign.raw)) set_divides(open.back());
        continue;
      }
      const Mark& mark = text_.marks[sign.mark];
      if (partners_[sign.mark] == kNoPartner || !is_template(mark)) continue;
      if (mark.kind == Mark::Kind::kOpen) {
        open.push_back(sign.mark);
        if (closed != kNoPartner && are_apart(closed, sign.mark)) {
          set_divides(closed);
          set_divides(sign.mark);
        }
      } else if (!open.empty() && partners_[sign.mark] == open.back()) {
        open.pop_back();
        closed = sign.mark;
      }
    }
  }
  /// Whether two pairs that stand beside each other are around texts of their own: conditions and the like, two of the
  /// same name, or nothing else has words. Others may be around words of a sentence: "read the {{#link}}terms{{/link}}
  /// {{#b}}first{{/b}}".
  bool are_apart(size_t closed, size_t opened) const {
    const Mark &first = text_.marks[partners_[closed]], &second = text_.marks[opened];
    if (!is_section(first.raw) || !is_section(second.raw)) return false;
    if (is_condition(first.raw) || is_condition(second.raw)) return true;
    if (markup::read_template_tag(first.raw).name == markup::read_template_tag(second.raw).name) return true;
    const std::string_view text = text_.text;
    return !markup::has_letters(text.substr(0, first.at)) &&
           !markup::has_letters(text.substr(text_.marks[partners_[opened]].at));
  }
  void set_divides(size_t mark) { divides_[mark] = divides_[partners_[mark]] = true; }
  bool is_blank(ByteRange range) const {
    const std::string_view between = std::string_view(text_.text).substr(range.begin, range.end - range.begin);
    return between.find_first_not_of(" \t\n") == std::string_view::npos;
  }

  bool divides(size_t number) const {
    const Sign& sign = signs_[number];
    const bool is_mark = sign.mark != kNoPartner;
    if (is_mark && (divides_[sign.mark] || text_.marks[sign.mark].divides)) return true;
    if (is_block_tag(*sign.raw) || is_between_labels(number)) return true;
    if (!is_mark && has_only_statements(*sign.raw)) return true;
    return splitter_ != nullptr && (is_between_sentences(number) || (!is_mark && stands_between_sentences(sign)));
  }

  /// Whether all letters are in a <span>.
  bool has_only_spans() const {
    size_t open = 0, done = 0;
    for (const Mark& mark : text_.marks) {
      if (open == 0 && markup::has_letters(std::string_view(text_.text).substr(done, mark.at - done))) return false;
      done = mark.at;
      open += is_span(mark.raw) ? 1 : 0;
      open -= mark.raw == "</span>" && open > 0 ? 1 : 0;
    }
    return !markup::has_letters(std::string_view(text_.text).substr(done));
  }
  static bool is_span(std::string_view raw) { return raw == "<span>" || raw.starts_with("<span "); }

  /// Whether one <span> ends there with a letter or digit, and the next one begins with one, and both have more than
  /// this one. A style sheet puts room between them: "<span>Price</span><span>Free</span>". There are only such texts.
  /// They are no labels but a sentence in spans, as Word and Google Docs write it, in languages whose words touch each
  /// other, and if a word may go on there (goes_on_between()).
  bool is_between_labels(size_t number) const {
    if (!only_spans_) return false;
    if (number + 1 >= signs_.size() || signs_[number + 1].place.begin != signs_[number].place.begin) return false;
    if (*signs_[number].raw != "</span>" || !is_span(*signs_[number + 1].raw)) return false;
    const size_t at = signs_[number].place.begin, next_sign = number + 2;
    const size_t begin = number > 0 ? signs_[number - 1].place.end : 0;
    const size_t end = next_sign < signs_.size() ? signs_[next_sign].place.begin : text_.text.size();
    const UChar32 last = markup::character_before(text_.text, at), next = markup::character_at(text_.text, at);
    const bool words = last >= 0 && u_isalnum(last) != 0 && next >= 0 && u_isalnum(next) != 0;
    if (!words || begin + 1 >= at || at + 1 >= end || touches_next_word(last) || touches_next_word(next)) return false;
    return u_islower(last) == 0 || u_islower(next) == 0 || !goes_on_between({begin, at}, {at, end});
  }
  /// Whether a word in small letters may go on from one <span> to the next: both have other words in them or beside
  /// them.
  bool goes_on_between(ByteRange first, ByteRange second) const {
    const std::string& text = text_.text;
    const bool words_before = has_space(first) || (first.begin > 0 && text[first.begin - 1] == ' ');
    const bool words_behind = has_space(second) || (second.end < text.size() && text[second.end] == ' ');
    return words_before && words_behind;
  }
  bool has_space(ByteRange range) const {
    return std::string_view(text_.text).substr(range.begin, range.end - range.begin).find(' ') != std::string::npos;
  }

  /// Whether an object stands between spaces, behind a sentence and before a capital letter.
  bool stands_between_sentences(const Sign& sign) const {
    const std::string& text = text_.text;
    const size_t next = after_spaces(sign.place.end);
    if (is_value(*sign.raw) || next == sign.place.end || u_isupper(markup::character_at(text, next)) == 0) return false;
    if (sign.place.begin < 2 || text[sign.place.begin - 1] != ' ') return false;
    return ends_sentence(text.find_last_not_of(' ', sign.place.begin - 1) + 1);
  }

  /// Whether a sentence ends at this byte if a word in capitals follows: no abbreviation.
  bool ends_sentence(size_t end) const {
    constexpr size_t kShown = 100;  // bytes in which the splitter looks for an abbreviation
    constexpr std::string_view kNext = "Anna";
    const std::string& text = text_.text;
    size_t last = end;
    if (end == 0 || !is_terminator(markup::previous_character(text, last))) return false;
    size_t begin = end > kShown ? text.find(' ', end - kShown) : 0;
    if (begin >= end) begin = 0;
    const std::string shown = text.substr(begin, end - begin) + ' ' + std::string(kNext);
    const std::vector<ByteRange> sentences = splitter_->split(shown);
    return sentences.back().end - sentences.back().begin == kNext.size();
  }

  /// Whether the sign is the first one of several behind the end of a sentence, and a word in small letters with a
  /// capital at its beginning follows them.
  bool is_between_sentences(size_t number) const {
    const std::string_view text = text_.text;
    const Sign& sign = signs_[number];
    if (sign.place.begin == 0 || (number > 0 && signs_[number - 1].place.end == sign.place.begin)) return false;
    const bool value = sign.mark == kNoPartner && is_value(*sign.raw) && !is_line_break(*sign.raw);
    if (value || sign.raw->starts_with("<wbr")) return false;
    size_t end = sign.place.end;
    for (size_t i = number + 1; i < signs_.size() && signs_[i].place.begin == end; ++i) end = signs_[i].place.end;
    if (end == text.size() || u_isupper(markup::character_at(text, end)) == 0) return false;
    const UChar32 second = markup::character_at(text, markup::after_character(text, end));
    return (is_line_break(*sign.raw) || u_isupper(second) == 0) && ends_sentence(sign.place.begin);
  }

  const MarkedText& text_;
  const SentenceSplitter* splitter_;  // null: sentences are not divided
  const std::vector<size_t> partners_;
  const bool only_spans_ = has_only_spans();
  std::vector<bool> divides_;  // of each mark: it is a tag of a template around a text of its own
  std::vector<Sign> signs_;    // in their order
};

}  // namespace

std::vector<ByteRange> divided(const MarkedText& text, const SentenceSplitter* splitter) {
  if (text.marks.empty() && text.objects.empty()) return {{0, text.text.size()}};
  return Divider(text, splitter).parts();
}

}  // namespace ventris::documents
