#include "markup/extension_finder.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "markup/characters.h"
#include "markup/delimiter_rows.h"
#include "markup/known_blocks.h"

namespace ventris::markup {
namespace {

constexpr size_t kNone = std::string_view::npos;
constexpr std::string_view kBlank = " \t\r", kBlankOrEnd = " \t\r\n";
constexpr size_t kLongestTemplate = 1000;

bool is_digit_byte(char c) { return c >= '0' && c <= '9'; }

constexpr std::string_view kTexSigns = "^_=<>";

/// Whether the text has a command of TeX or one of these signs, without a backslash in front.
bool has_tex(std::string_view text, std::string_view signs) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (signs.find(text[i]) != kNone) return true;
    if (text[i] != '\\') continue;
    if (++i < text.size() && is_letter(text[i])) return true;
  }
  return false;
}

/// Whether the text has letters in a row that are no variables: three, or two behind a space.
bool has_words(std::string_view text) {
  size_t letters = 0, most = 2;
  for (const char c : text) {
    const bool letter = is_letter(c) || static_cast<signed char>(c) < 0;
    if (!letter) most = c == ' ' ? 1 : 2;
    letters = letter ? letters + 1 : 0;
    if (letters > most) return true;
  }
  return false;
}

/// Searches a paragraph, whose lines are not blank.
class SpanFinder {
 public:
  SpanFinder(std::string_view text, size_t offset) : text_(text), offset_(offset) {}

  void find(MarkdownExtensions& found) {
    find_code();
    const size_t before = found.spans.size();
    find_spans(found.spans);
    found.in_targets.insert(found.in_targets.end(), in_targets_.begin(), in_targets_.end());
    if (found.spans.size() == before) return;
    for (const Run& run : left_over_) found.backticks.push_back({offset_ + run.begin, offset_ + run.begin + run.size});
  }

 private:
  void find_spans(std::vector<ByteRange>& spans) {
    bool line_begins = true;
    for (size_t at = 0; at < text_.size();) {
      if (line_begins) at = start_of_text(at);
      if (at == text_.size()) break;
      const size_t code = end_of_code(at);
      if (code != kNone) {
        const size_t end = end_of_neighbours(code, true);
        if (end > code) spans.push_back({offset_ + at, offset_ + end});
        at = end;
        line_begins = false;
        continue;
      }
      const size_t span = end_of_span_at(at, line_begins);
      if (span != kNone) {
        const size_t end = end_of_neighbours(span, false);
        spans.push_back({offset_ + at, offset_ + end});
        at = end;
        line_begins = false;
      } else {
        const size_t skipped = line_begins ? end_of_definition(at) : kNone;
        line_begins = text_[at] == '\n';
        at = skipped != kNone ? skipped : end_of_skipped(at);
      }
    }
  }

  /// Behind what begins a line: quotations, markers of lists, tasks, definitions and footnotes.
  size_t start_of_text(size_t at) const {
    const size_t end = std::min(text_.find('\n', at), text_.size());
    for (;;) {
      at += run_of(text_, at, kBeforeText);
      const std::string_view line = text_.substr(at, at < end ? end - at : 0);
      size_t size = size_of_list_marker(line);
      if (line.starts_with("[ ] ") || line.starts_with("[x] ") || line.starts_with("[X] ")) size = 4;
      if (line.starts_with(": ")) size = 2;
      if (line.starts_with("[^")) {
        const size_t close = line.find_first_of("[] ", 2);
        if (close != kNone && line.substr(close).starts_with("]: ")) size = close + 3;
      }
      if (size == 0) return at;
      at += size;
    }
  }

  /// The end of the code that begins here; kNone if none does.
  size_t end_of_code(size_t at) const {
    const auto code = std::ranges::lower_bound(code_, at, {}, &ByteRange::begin);
    return code != code_.end() && code->begin == at ? code->end : kNone;
  }
  size_t end_of_span_at(size_t at, bool line_begins) {
    const size_t line = line_begins ? end_of_line_span(at) : kNone;
    const size_t end = line != kNone ? line : end_of_span(at, line_begins);
    const bool around_code = end != kNone && text_[at] == '$' && end_of_code(at + 1) == end - 1;
    return end != kNone && (around_code || !has_code(at, end)) ? end : kNone;
  }
  /// Behind the spans and code that follow without anything between, if there is code among them or `has_code`.
  /// Together they become one code for the parser, which would join their backticks.
  size_t end_of_neighbours(size_t end, bool has_code) {
    if (!has_code && end <= chain_end_) return end;
    size_t last = end;
    while (last < text_.size()) {
      const size_t code = end_of_code(last), next = code != kNone ? code : end_of_span_at(last, false);
      if (next == kNone) break;
      has_code = has_code || code != kNone;
      last = next;
    }
    if (!has_code) chain_end_ = last;
    return has_code ? last : end;
  }

  struct Run {
    size_t begin, size;
  };
  /// Of the backticks from here on, those that may begin a span of code: all but an escaped one.
  Run opening(Run run) const {
    size_t backslashes = 0;
    while (run.begin > backslashes && text_[run.begin - backslashes - 1] == '\\') ++backslashes;
    return backslashes % 2 == 0 ? run : Run{run.begin + 1, run.size - 1};
  }
  /// Finds the spans of code, and the backticks that are left over. More than two may begin a block of code.
  void find_code() {
    constexpr size_t kMostInText = 2;
    std::vector<Run> runs;
    std::map<size_t, std::vector<size_t>> places;  // the numbers of the runs of each size
    for (size_t at = text_.find('`'); at != kNone; at = text_.find('`', at)) {
      const size_t size = run_of(text_, at, "`");
      places[size].push_back(runs.size());
      runs.push_back({at, size});
      at += size;
    }
    for (size_t i = 0; i < runs.size(); ++i) {
      const Run run = opening(runs[i]);
      if (run.size == 0) continue;
      const std::vector<size_t>& same = places[run.size];
      const auto next = std::ranges::upper_bound(same, i);
      if (next != same.end()) {
        code_.push_back({run.begin, runs[*next].begin + runs[*next].size});
        i = *next;
      } else if (run.size <= kMostInText) {
        left_over_.push_back(run);
      } else {
        code_.push_back({run.begin, run.begin + run.size});
      }
    }
  }
  /// Whether code is inside these bytes.
  bool has_code(size_t begin, size_t end) const {
    const auto next = std::ranges::upper_bound(code_, begin, {}, &ByteRange::end);
    return next != code_.end() && next->begin < end;
  }

  std::string_view rest(size_t at) const { return text_.substr(at); }
  /// Where a sign comes next; the end of the text if it does not. It is looked for again only if it was not looked for
  /// before this place, or was found before it.
  size_t next_of(const std::string& sign, size_t at) {
    Found& last = next_.try_emplace(sign, Found{text_.size() + 1, 0}).first->second;
    if (at < last.from || at > last.place) last = {at, std::min(text_.find(sign, at), text_.size())};
    return last.place;
  }
  size_t end_of_line(size_t at) { return next_of("\n", at); }
  /// A letter of ASCII, because Chinese and Japanese have no spaces.
  bool word_before(size_t at) const { return at > 0 && (is_letter(text_[at - 1]) || is_digit_byte(text_[at - 1])); }
  /// Such as in "https://a.b/c_\(d\)".
  bool address_before(size_t at) const { return at > 0 && (text_[at - 1] == '_' || text_[at - 1] == '/'); }
  char character(size_t at) const { return at < text_.size() ? text_[at] : '\n'; }

  /// Behind what cannot begin a span: an escaped character, a tag or address in angle brackets, the target of a link.
  size_t end_of_skipped(size_t at) {
    const char next = character(at + 1);
    if (text_[at] == '\\') return std::min(next == '\n' ? at + 1 : at + 2, text_.size());
    if (text_[at] == '<' && (is_letter(next) || next == '/' || next == '!')) {
      const size_t end = text_.find_first_of("<>", at + 1);
      if (end != kNone && text_[end] == '>') return end + 1;
    }
    if (text_[at] == ']' && next == '(') return end_of_target(at + 2, ")] \t\n");
    return at + 1;
  }

  /// The end of the target of a link that begins here, which is before one of these signs or at the end. Templates in
  /// it are noted; the parser must not see their spaces.
  size_t end_of_target(size_t at, std::string_view signs) {
    while (at < text_.size() && signs.find(text_[at]) == kNone) {
      size_t end = text_[at] == '{' ? end_of_template(at) : kNone;
      if (end != kNone && text_.substr(at, end - at).find('\n') != kNone) end = kNone;  // lines stay
      if (end != kNone) in_targets_.push_back({offset_ + at, offset_ + end});
      at = end != kNone ? end : at + (text_[at] == '\\' && character(at + 1) != '\n' ? 2 : 1);
    }
    return std::min(at, text_.size());
  }

  /// Behind the target of the definition of a link ("[name]: target") that begins a line; kNone if there is none.
  size_t end_of_definition(size_t at) {
    if (text_[at] != '[' || character(at + 1) == '^') return kNone;
    const size_t end = text_.find_first_of("[]\n", at + 1);
    if (end == kNone || end == at + 1 || !rest(end).starts_with("]:")) return kNone;
    return end_of_target(end + 2 + run_of(text_, end + 2, kBlank), kBlankOrEnd);
  }

  /// The end of a formula that has its content here and ends with this sign, in its line, or in the next one if that
  /// cannot begin a block.
  size_t end_of_formula(size_t begin, const std::string& sign) {
    constexpr size_t kLongest = 1000;
    const size_t end = next_of(sign, begin), line = end_of_line(begin);
    if (end == begin || end == text_.size() || end > begin + kLongest) return kNone;
    const std::string_view content = text_.substr(begin, end - begin);
    if (content.find_first_not_of(kBlank) == kNone) return kNone;
    if (end < line) return end + sign.size();
    const size_t next = line + 1 + run_of(text_, line + 1, kBeforeText);
    const bool block = next < text_.size() && std::string_view("-+*#|:=~<!?0123456789").find(text_[next]) != kNone;
    const bool near = text_.substr(line + 1, end - line - 1).find('\n') == kNone && content.find('|') == kNone;
    return near && !block && has_tex(content, kTexSigns) ? end + sign.size() : kNone;
  }

  size_t end_of_span(size_t at, bool line_begins) {
    switch (text_[at]) {
      case '$': return end_of_dollars(at, line_begins);
      case '\\': {
        const size_t end = line_begins ? end_of_environment(at) : kNone;
        return end != kNone ? end : end_of_tex(at, line_begins);
      }
      case '{': return end_of_braces(at);
      case '[': return end_of_brackets(at);
      case ':': return end_of_emoji(at);
      case 'h':
      case 'w': return end_of_address(at);
      default: return kNone;
    }
  }

  /// The end of a formula that begins a line, if it ends one; such a formula may have several lines.
  size_t end_of_display(size_t begin, const std::string& sign) {
    const size_t end = next_of(sign, begin);
    if (end == text_.size() || text_.substr(begin, end - begin).find_first_not_of(" \t\n") == kNone) return kNone;
    const size_t behind = end + sign.size(), next = behind + run_of(text_, behind, kBlank);
    return next == text_.size() || text_[next] == '\n' ? behind : kNone;
  }

  size_t end_of_dollars(size_t at, bool line_begins) {
    if (word_before(at) || (at > 0 && (text_[at - 1] == '/' || text_[at - 1] == '$'))) return kNone;
    if (const size_t code = end_of_code(at + 1); code != kNone && character(code) == '$') return code + 1;  // $`a`$
    if (character(at + 1) == '$') {
      if (character(at + 2) == '$') return kNone;
      const size_t display = line_begins ? end_of_display(at + 2, "$$") : kNone;
      return display != kNone ? display : end_of_formula(at + 2, "$$");
    }
    if (std::string_view(" \t\n").find(character(at + 1)) != kNone) return kNone;
    const size_t end = end_of_formula(at + 1, "$");
    if (end == kNone || std::string_view(" \t\n\\").find(text_[end - 2]) != kNone) return kNone;
    const char next = character(end);
    const std::string_view content = text_.substr(at + 1, end - at - 2);
    if (is_digit_byte(next) || next == '$') return kNone;
    const bool tex = has_tex(content, kTexSigns);
    if (is_alnum_byte(next) && !tex && content.size() > 2) return kNone;
    return tex || !has_words(content) ? end : kNone;
  }

  /// "\begin{equation}...\end{equation}" on lines of its own.
  size_t end_of_environment(size_t at) {
    constexpr std::array<std::string_view, 9> kNames{"equation", "align",  "aligned", "gather", "multline",
                                                     "eqnarray", "matrix", "cases",   "split"};
    constexpr std::string_view kBegin = "\\begin{";
    if (!rest(at).starts_with(kBegin)) return kNone;
    const size_t begin = at + kBegin.size(), close = std::min(text_.find_first_of("}\n", begin), text_.size());
    const std::string name(text_.substr(begin, close - begin));
    const std::string_view plain = std::string_view(name).substr(0, name.size() - (name.ends_with('*') ? 1 : 0));
    return std::ranges::count(kNames, plain) > 0 ? end_of_display(close, "\\end{" + name + "}") : kNone;
  }

  /// "\(...\)" and "\[...\]", also with two backslashes.
  size_t end_of_tex(size_t at, bool line_begins) {
    const size_t sign = rest(at).starts_with("\\\\") ? 2 : 1;
    const char open = character(at + sign);
    if ((open != '(' && open != '[') || word_before(at) || address_before(at)) return kNone;
    const std::string close = std::string(sign, '\\') + (open == '(' ? ')' : ']');
    const size_t begin = at + sign + 1;
    const size_t display = line_begins && open == '[' ? end_of_display(begin, close) : kNone;
    const size_t end = display != kNone ? display : end_of_formula(begin, close);
    if (end == kNone || next_of(std::string(text_.substr(at, sign + 1)), begin) < end) return kNone;
    const std::string_view content = text_.substr(begin, end - close.size() - begin);
    const bool variable = open == '(' && content.size() == 1 && is_letter(content.front());
    return has_tex(content, "^_") || variable ? end : kNone;
  }

  /// "{{ name }}" and "{% tag %}", also over several lines, and code between two such tags.
  size_t end_of_template(size_t at) {
    if (rest(at).starts_with("{%")) {
      const size_t end = end_of_tag(at + 2, "%}");
      return end == kNone ? kNone : end_of_template_code(at, end);
    }
    if (!rest(at).starts_with("{{")) return kNone;
    for (const auto& [begin, sign] : {std::pair("{{<", ">}}"), {"{{%", "%}}"}}) {
      if (rest(at).starts_with(begin)) return end_of_tag(at + 3, sign);
    }
    return end_of_value(at);
  }
  size_t end_of_tag(size_t begin, const std::string& sign) {
    const size_t end = next_of(sign, begin);
    return end == begin || end == text_.size() || end > begin + kLongestTemplate ? kNone : end + sign.size();
  }
  /// "{{ name }}", "{{{ name }}}", "{{ {a: {b: 1}} }}": of the braces that belong together. It has several lines only
  /// if it does not look like sentences.
  size_t end_of_value(size_t at) {
    const size_t first = next_of("}}", at + 2);
    if (first == at + 2 || first == text_.size() || first > at + kLongestTemplate) return kNone;
    size_t end = at, depth = 0;
    do {
      depth += text_[end] == '{' ? 1 : 0;
      depth -= text_[end] == '}' ? 1 : 0;
      ++end;
    } while (depth > 0 && end < text_.size() && end < at + kLongestTemplate);
    if (depth > 0) end = first + 2;
    const std::string_view value = text_.substr(at, end - at);
    const bool sentences = value.find(". ") != kNone || value.find(".\n") != kNone;
    return value.find('\n') != kNone && sentences ? kNone : end;
  }
  /// Of "{% highlight c %}a{% endhighlight %}" in a text. (with_known_blocks() knows those on lines of their own.)
  size_t end_of_template_code(size_t at, size_t end) {
    const std::string name = name_of_template(text_.substr(at, end - at));
    if (!is_code_of_template(name)) return end;
    TagFound& last = code_ends_.try_emplace(name, TagFound{text_.size() + 1, 0, 0}).first->second;
    if (end < last.from || end > last.place) last = find_tag("end" + name, end);
    return last.place == text_.size() || has_code(at, last.end) ? end : last.end;
  }
  /// A tag is at `place`, and not between `from` and there; the end of the text if there is none.
  struct TagFound {
    size_t from, place, end;
  };
  TagFound find_tag(const std::string& name, size_t from) const {
    for (size_t at = text_.find("{%", from); at != kNone; at = text_.find("{%", at + 2)) {
      const size_t close = text_.find("%}", at);
      if (close == kNone) break;
      if (name_of_template(text_.substr(at, close + 2 - at)) == name) return {from, at, close + 2};
    }
    return {from, text_.size(), text_.size()};
  }

  /// The end of an address with a sign of emphasis inside, which is no sign there (GitHub's extended autolinks).
  size_t end_of_address(size_t at) {
    const bool begins = std::ranges::any_of(std::array{"http://", "https://", "www."},
                                            [&](const char* start) { return rest(at).starts_with(start); });
    if (!begins || word_before(at) || (at >= plain_from_ && at < plain_until_)) return kNone;
    const size_t stop = std::min(text_.find_first_of(" \t\n<>[]|`\"", at), text_.size());
    constexpr std::string_view kPunctuation = "?!.,:;*_~'()\\";  // at the end, not of the address
    const size_t end = text_.find_last_not_of(kPunctuation, stop - 1) + 1;
    if (text_.substr(at, end - at).find_first_of("*~") != kNone) return end;
    plain_from_ = at;
    plain_until_ = stop;
    return kNone;
  }

  size_t end_of_braces(size_t at) {
    const size_t end_of_tag = end_of_template(at);
    if (end_of_tag != kNone) return end_of_tag;
    size_t name = at + 1;
    while (name < text_.size() && (is_letter(text_[name]) || text_[name] == '-')) ++name;
    const bool attribute = name > at + 1 && character(name) == '=';
    if (!attribute && std::string_view("#.:=").find(character(at + 1)) == kNone) return kNone;
    const size_t end = text_.find_first_of("{}\n", at + 1);
    return end != kNone && text_[end] == '}' && end > at + 2 ? end + 1 : kNone;
  }

  size_t end_of_brackets(size_t at) const {
    constexpr std::string_view kContents = "[TOC]";
    if (rest(at).starts_with(kContents)) {
      const size_t end = at + kContents.size();
      return std::string_view("([:").find(character(end)) == kNone ? end : kNone;
    }
    if (!rest(at).starts_with("[[")) return kNone;
    const size_t end = text_.find_first_of("[]\n", at + 2);
    if (end == kNone || end == at + 2 || !rest(end).starts_with("]]")) return kNone;
    const bool another = rest(end + 2).starts_with("[[");
    return another || std::string_view("([:").find(character(end + 2)) == kNone ? end + 2 : kNone;
  }

  size_t end_of_emoji(size_t at) const {
    if (rest(at).starts_with(":+1:") || rest(at).starts_with(":-1:")) return at + 4;
    if (word_before(at) || (at > 0 && text_[at - 1] == ':') || !is_letter(character(at + 1))) return kNone;
    size_t end = at + 1;
    while (is_letter(character(end)) || is_digit_byte(character(end)) || character(end) == '_' || character(end) == '-')
      ++end;
    const char next = character(end + 1);
    return end > at + 2 && character(end) == ':' && !is_alnum_byte(next) && next != ':' ? end + 1 : kNone;
  }

  /// The end of what begins a line, and is or has a mark of its own.
  size_t end_of_line_span(size_t at) {
    const size_t end = end_of_line(at);
    const size_t last = text_.find_last_not_of(kBlank, end - 1) + 1;  // without white space at the end
    const std::string_view line = text_.substr(at, last - at);
    if (line.starts_with(":::")) return at + size_of_fence(line);
    if (line.starts_with("*[")) return end_of_abbreviation(at);
    const bool box = line.starts_with("!!!") || line.starts_with("???");
    if (!box && !line.starts_with("===")) return kNone;
    const size_t sign = 3 + (line.size() > 3 && (line[3] == '+' || (!box && line[3] == '!')) ? 1 : 0);
    const size_t word = sign + run_of(line, sign, kBlank);
    if (word == sign || word == line.size()) return kNone;
    size_t rest = word;
    while (rest < line.size() && (is_letter(line[rest]) || line[rest] == '-')) ++rest;
    const bool titled = line.ends_with('"') && line.find('"', rest) < line.size() - 1;
    const bool named = box && rest > word &&
                       (rest == line.size() || line.substr(rest) == " inline" || line.substr(rest) == " inline end");
    return titled || named ? last : kNone;
  }
  /// Of "*[name]:".
  size_t end_of_abbreviation(size_t at) const {
    const size_t end = text_.find_first_of("[]\n", at + 2);
    return end != kNone && end > at + 2 && rest(end).starts_with("]: ") ? end + 2 : kNone;
  }
  /// Of ":::name", without the title behind it; with attributes and a title in brackets, of the whole line.
  static size_t size_of_fence(std::string_view line) {
    const size_t signs = run_of(line, 0, ":");
    size_t end = signs + run_of(line, signs, kBlank);
    if (end == line.size()) return signs;
    while (end < line.size() && (is_alnum_byte(line[end]) || line[end] == '-' || line[end] == '_')) ++end;
    const size_t next = std::min(end + run_of(line, end, kBlank), line.size());
    const bool attributes = next < line.size() && (line[next] == '[' || line[next] == '{');
    return attributes ? line.size() : end;
  }

  std::string_view text_;
  size_t offset_;  // of the paragraph
  std::vector<ByteRange> code_;
  std::vector<ByteRange> in_targets_;  // in the document
  std::map<std::string, TagFound> code_ends_;  // of code of templates
  size_t chain_end_ = 0;  // of spans without anything between, and without code among them
  size_t plain_from_ = 0, plain_until_ = 0;  // no address with signs of emphasis begins between
  std::vector<Run> left_over_;
  /// A sign comes at `place`, and not between `from` and there.
  struct Found {
    size_t from, place;
  };
  std::map<std::string, Found> next_;
};

}  // namespace

void find_extensions(std::string_view paragraph, size_t offset, MarkdownExtensions& found) {
  SpanFinder(paragraph, offset).find(found);
}

}  // namespace ventris::markup
