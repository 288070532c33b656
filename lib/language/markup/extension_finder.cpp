#include "markup/extension_finder.h"

#include <algorithm>
#include <array>

#include "core/ascii.h"
#include "markup/attribute_lists.h"
#include "markup/delimiter_rows.h"
#include "markup/formulas.h"
#include "markup/inline_extensions.h"
#include "markup/line_extensions.h"
#include "markup/technical_names.h"
#include "markup/templates.h"
#include "markup/text_cursor.h"

namespace ventris::markup {
namespace {

constexpr std::string_view kBlank = " \t\r", kBlankOrEnd = " \t\r\n";
constexpr std::string_view kOfScheme = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-";

/// Whether a heading begins with a module of mkdocstrings, or a word of bookdown (end_of_line_extension).
bool begins_with_sign(std::string_view behind_hashes) {
  constexpr std::array<std::string_view, 3> kSigns{" ::: ", " (PART", " (APPENDIX)"};
  return std::ranges::any_of(kSigns, [&](std::string_view sign) { return behind_hashes.starts_with(sign); });
}

bool is_image_name(std::string_view file) {
  constexpr std::array<std::string_view, 7> kEndings{".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".bmp"};
  return std::ranges::any_of(kEndings, [&](std::string_view ending) { return file.ends_with(ending); });
}

/// Searches a paragraph, whose lines are not blank.
class SpanFinder {
 public:
  SpanFinder(std::string_view text, size_t offset, const DocumentTraits& traits)
      : paragraph_(text), templates_(paragraph_), text_(text), offset_(offset), traits_(traits), effort_(text.size()) {}

  void find(MarkdownExtensions& found) {
    const size_t before = found.spans.size();
    find_spans(found.spans);
    found.in_targets.insert(found.in_targets.end(), in_targets_.begin(), in_targets_.end());
    found.attributes.insert(found.attributes.end(), attributes_.begin(), attributes_.end());
    if (found.spans.size() == before) return;
    for (const ByteRange& run : paragraph_.left_over_backticks()) {
      found.backticks.push_back({offset_ + run.begin, offset_ + run.end});
    }
  }

 private:
  void find_spans(std::vector<ByteRange>& spans) {
    bool line_begins = true;
    for (size_t at = 0; at < text_.size();) {
      if (line_begins) at = start_of_text(at);
      if (at == text_.size()) break;
      const size_t code = paragraph_.end_of_code(at);
      if (code != kNoEnd) {
        const size_t end = end_of_neighbours(code, true);
        if (end > code) spans.push_back({offset_ + at, offset_ + end});
        at = end;
        line_begins = false;
        continue;
      }
      const size_t span = end_of_span_at(at, line_begins);
      if (span != kNoEnd) {
        const size_t end = end_of_neighbours(span, false);
        spans.push_back({offset_ + at, offset_ + end});
        at = end;
        line_begins = false;
      } else {
        const size_t skipped = line_begins ? end_of_definition(at) : kNoEnd;
        line_begins = text_[at] == '\n';
        const size_t words = skipped == kNoEnd ? end_of_attributed(at) : skipped;
        at = words != kNoEnd ? words : end_of_skipped(at);
      }
    }
  }

  /// Behind what begins a line: quotations, markers of lists (and of definitions, which with_known_blocks() makes
  /// lists), tasks and footnotes.
  size_t start_of_text(size_t at) const {
    const size_t end = std::min(text_.find('\n', at), text_.size());
    for (;;) {
      at += run_of(text_, at, kBeforeText);
      const std::string_view line = text_.substr(at, at < end ? end - at : 0);
      size_t size = size_of_list_marker(line);
      if (const size_t signs = run_of(line, 0, "#"); signs > 0 && begins_with_sign(line.substr(signs)))
        size = signs + 1;
      if (line.starts_with("[ ] ") || line.starts_with("[x] ") || line.starts_with("[X] ")) size = 4;
      if (line.starts_with("[^")) {
        const size_t close = line.find_first_of("[] ", 2);
        if (close != kNoEnd && line.substr(close).starts_with("]: ")) size = close + 3;
      }
      if (size == 0) return at;
      at += size;
    }
  }

  size_t end_of_span_at(size_t at, bool line_begins) {
    const bool caption = !traits_.tables && paragraph_.rest(at).starts_with("Table:");  // of no table
    const size_t line = line_begins && !caption ? end_of_line_extension(paragraph_, at) : kNoEnd;
    const size_t end = line != kNoEnd ? line : end_of_span(at, line_begins);
    if (end == kNoEnd || !paragraph_.has_code(at, end)) return end;
    const bool around_code = text_[at] == '$' && paragraph_.end_of_code(at + 1) == end - 1;
    const bool has_values = line != kNoEnd || text_[at] == '{';  // which may be code: {% tab title="Use `npm`" %}
    return around_code || (has_values && !paragraph_.cuts_code(at, end)) ? end : kNoEnd;
  }
  /// Behind the spans and code that follow without anything between, if there is code among them or `has_code`.
  /// Together they become one code for the parser, which would join their backticks.
  size_t end_of_neighbours(size_t end, bool has_code) {
    if (!has_code && end <= chain_end_) return end;
    size_t last = end;
    while (last < text_.size()) {
      const size_t code = paragraph_.end_of_code(last), next = code != kNoEnd ? code : end_of_span_at(last, false);
      if (next == kNoEnd) break;
      has_code = has_code || code != kNoEnd;
      last = next;
    }
    if (!has_code) chain_end_ = last;
    return has_code ? last : end;
  }

  /// Of an address with a template in angle brackets: "<https://{{ domain }}/login>", "<mailto:{{ user }}@a.org>". With
  /// the spaces of the template, it would be none for the parser.
  size_t end_of_bracketed_address(size_t at) const {
    const size_t end = std::min(text_.find_first_of("<>\n", at + 1), text_.size());
    const std::string_view inside = text_.substr(at + 1, end - at - 1);
    const size_t scheme = std::min(inside.find_first_not_of(kOfScheme), inside.size());
    const bool address = scheme > 1 && inside.substr(scheme).starts_with(':') && inside.find("{{") != kNoEnd;
    return address && paragraph_.character(end) == '>' ? end + 1 : kNoEnd;
  }

  /// Behind what cannot begin a span: an escaped character, a tag or address in angle brackets, the target of a link.
  size_t end_of_skipped(size_t at) {
    const char next = paragraph_.character(at + 1);
    if (text_[at] == '\\') return std::min(next == '\n' ? at + 1 : at + 2, text_.size());
    if (text_[at] == '<' && (is_letter(next) || next == '/' || next == '!')) {
      const size_t end = text_.find_first_of("<>", at + 1);
      if (end != kNoEnd && text_[end] == '>') return end + 1;
    }
    if (text_[at] == ']' && next == '(') {
      const size_t spaced = end_of_spaced_target(at + 2);
      return spaced != kNoEnd ? spaced : end_of_target(at + 2, ")] \t\n");
    }
    return at + 1;
  }

  /// Of the target of a link that has the size of an image behind it, or is a file with spaces in its name, as wikis
  /// write them: "a.png =500x300", "My Docs/a file.md", "a file.png". The size, or the spaces, are noted; kNoEnd for
  /// any other.
  size_t end_of_spaced_target(size_t at) {
    const size_t end = std::min(text_.find_first_of("()[]<>\"'`\n", at), text_.size());
    const std::string_view target = text_.substr(at, end - at);
    const size_t first = target.find(' '), last = target.rfind(' ');
    if (paragraph_.character(end) != ')' || first == kNoEnd || first == 0 || last + 1 == target.size()) return kNoEnd;
    const std::string_view word = target.substr(last + 1);
    if (first == last && word.starts_with('=') && word.find('x') != kNoEnd &&
        word.find_first_not_of("=0123456789x%*") == kNoEnd) {
      in_targets_.push_back({offset_ + at + first, offset_ + end});
      return end;
    }
    if (!is_file_name(word) || (target.find('/') == kNoEnd && !is_image_name(word))) return kNoEnd;
    for (size_t space = first; space != kNoEnd; space = target.find(' ', space + 1)) {
      in_targets_.push_back({offset_ + at + space, offset_ + at + space + 1});
    }
    return end;
  }

  /// Notes brackets. Behind the list of attributes of words in brackets, which is noted, too; kNoEnd if none ends here.
  size_t end_of_attributed(size_t at) {
    if (text_[at] == '[') brackets_.push_back(at);
    if (text_[at] != ']' || brackets_.empty()) return kNoEnd;
    const size_t begin = brackets_.back();
    brackets_.pop_back();
    const bool index = begin > 0 && is_alnum_byte(text_[begin - 1]);  // "a[i][j_1]"
    const size_t reference = index ? 0 : size_of_reference(at + 1);
    const size_t size = reference > 0 ? reference : size_of_attribute_list(paragraph_.rest(at + 1));
    const bool other = begin > 0 && (text_[begin - 1] == '!' || text_[begin - 1] == ']');
    const std::string_view words = text_.substr(begin + 1, at - begin - 1);
    if (size == 0 || other || words.starts_with('^')) return kNoEnd;
    constexpr size_t kLongestLabel = 999;  // of a link, in CommonMark
    const bool link = words.size() <= kLongestLabel && traits_.definitions.contains(core::in_lower_case(words));
    if (link) return kNoEnd;  // with attributes
    attributes_.push_back({offset_ + at + 1, offset_ + at + 1 + size});
    return at + 1 + size;
  }

  /// The size of "[a.b.C]" behind the words of a link, if it is a name of code that another file defines, as for
  /// autorefs of mkdocstrings and rustdoc; otherwise 0.
  size_t size_of_reference(size_t at) const {
    constexpr size_t kLongest = 200;
    if (paragraph_.character(at) != '[') return 0;
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto is_part = [&](char c) {
      return is_letter(c) || is_digit(c) || std::string_view("._:/`()<>,-&*").find(c) != kNoEnd;
    };
    size_t end = at + 1;
    while (end < at + kLongest && is_part(paragraph_.character(end))) ++end;
    const std::string_view name = text_.substr(at + 1, end - at - 1);
    const bool joined = name.find_first_of("._`(") != kNoEnd || name.find("::") != kNoEnd;
    const bool code = joined && (is_letter(name.front()) || name.front() == '`') && !name.ends_with('.');
    if (!code || paragraph_.character(end) != ']' || paragraph_.character(end + 1) == '(') return 0;
    return traits_.definitions.contains(core::in_lower_case(name)) ? 0 : end + 1 - at;
  }

  /// The end of the target of a link that begins here, which is before one of these signs or at the end. Templates in
  /// it are noted; the parser must not see their spaces.
  size_t end_of_target(size_t at, std::string_view signs) {
    while (at < text_.size() && signs.find(text_[at]) == kNoEnd) {
      size_t end = text_[at] == '{' ? templates_.end_of_template(at) : kNoEnd;
      if (end != kNoEnd && text_.substr(at, end - at).find('\n') != kNoEnd) end = kNoEnd;  // lines stay
      if (end != kNoEnd) in_targets_.push_back({offset_ + at, offset_ + end});
      at = end != kNoEnd ? end : at + (text_[at] == '\\' && paragraph_.character(at + 1) != '\n' ? 2 : 1);
    }
    return std::min(at, text_.size());
  }

  /// Behind the target of the definition of a link ("[name]: target") that begins a line; kNoEnd if there is none.
  size_t end_of_definition(size_t at) {
    if (text_[at] != '[' || paragraph_.character(at + 1) == '^') return kNoEnd;
    const size_t end = text_.find_first_of("[]\n", at + 1);
    if (end == kNoEnd || end == at + 1 || !paragraph_.rest(end).starts_with("]:")) return kNoEnd;
    return end_of_target(end + 2 + run_of(text_, end + 2, kBlank), kBlankOrEnd);
  }

  size_t end_of_span(size_t at, bool line_begins) {
    switch (text_[at]) {
      case '$': {
        const size_t end = end_of_formula(paragraph_, at, line_begins);
        return end != kNoEnd ? end : templates_.end_of_template(at);
      }
      case '\\': {
        const size_t end = end_of_formula(paragraph_, at, line_begins);
        return end != kNoEnd ? end : end_of_tex(paragraph_, at, line_begins, effort_);
      }
      case '<': {
        const size_t end = templates_.end_of_template(at);
        return end != kNoEnd ? end : end_of_bracketed_address(at);
      }
      case '!': return paragraph_.rest(at).starts_with("![[") ? end_of_brackets(at + 1, false) : kNoEnd;
      case '{': return end_of_braces(at);
      case '[': return end_of_brackets(at, line_begins);
      case '(': return end_of_bookdown_label(at);
      case '^': return paragraph_.rest(at).starts_with("^[") ? end_of_note(at) : end_of_block_name(paragraph_, at);
      case '#': return end_of_tag_path(paragraph_, at);
      case '-':
      case '=':
      case '~': return end_of_change(paragraph_, at);
      case '+': {
        const size_t end = end_of_keys(paragraph_, at);
        return end != kNoEnd ? end : end_of_change(paragraph_, at);
      }
      case '@': return end_of_mention(at);
      case '*': return end_of_glob(at);
      case ':': return end_of_emoji(at);
      default: return is_alnum_byte(text_[at]) ? end_of_name(at) : kNoEnd;
    }
  }
  /// Of an address, an issue or a commit.
  size_t end_of_name(size_t at) {
    const bool address = text_[at] == 'h' || text_[at] == 'w';
    const size_t end = address ? end_of_address(at) : kNoEnd;
    if (end != kNoEnd) return end;
    if (at > 0 && is_name_byte(text_[at - 1])) return kNoEnd;
    const size_t issue = end_of_issue(paragraph_, at);
    return issue != kNoEnd ? issue : end_of_commit(paragraph_, at);
  }

  /// The end of an address with a sign of emphasis inside, which is no sign there (GitHub's extended autolinks).
  size_t end_of_address(size_t at) {
    const bool begins = std::ranges::any_of(std::array{"http://", "https://", "www."},
                                            [&](const char* start) { return paragraph_.rest(at).starts_with(start); });
    if (!begins || paragraph_.word_before(at) || (at >= plain_from_ && at < plain_until_)) return kNoEnd;
    size_t stop = std::min(text_.find_first_of(" \t\n<>[]|`\"", at), text_.size());
    stop = end_of_run(text_.substr(0, stop), at, [](UChar32 c) { return !is_cjk(c); });
    constexpr std::string_view kPunctuation = "?!.,:;*_~'()\\";  // at the end, not of the address
    const size_t end = text_.find_last_not_of(kPunctuation, stop - 1) + 1;
    const bool escapes = text_.substr(at, end - at).find('\\') != kNoEnd;
    for (size_t i = at + 1; i < end; ++i) {
      const bool inside_word = is_alnum_byte(text_[i - 1]) && is_alnum_byte(paragraph_.character(i + 1));
      if (text_[i] == '*' || text_[i] == '~' || (text_[i] == '_' && !inside_word && !escapes)) return end;
    }
    plain_from_ = at;
    plain_until_ = stop;
    return kNoEnd;
  }

  size_t end_of_braces(size_t at) {
    const size_t end_of_tag = templates_.end_of_template(at);
    if (end_of_tag != kNoEnd) return end_of_tag;
    const size_t list = size_of_attribute_list(paragraph_.rest(at));
    const size_t change = end_of_change(paragraph_, at);
    if (change != kNoEnd || list > 0) return change != kNoEnd ? change : at + list;
    const size_t role = end_of_role(at);
    return role != kNoEnd ? role : end_of_expression(paragraph_, at, traits_.mdx, effort_);
  }
  /// "{ref}" of MyST, directly before code.
  size_t end_of_role(size_t at) const {
    constexpr size_t kLongest = 50;
    size_t end = at + 1;
    const auto is_part = [](char c) { return is_alnum_byte(c) || std::string_view("-_:+.").find(c) != kNoEnd; };
    while (end < at + kLongest && is_part(paragraph_.character(end))) ++end;
    const bool role = end > at + 1 && paragraph_.character(end) == '}' && paragraph_.end_of_code(end + 1) != kNoEnd;
    return role ? end + 1 : kNoEnd;
  }

  /// Of a pattern of files, "**/" and what follows up to a space, if no other "**" is in it. (Two could be strong
  /// emphasis.) Parsers disagree about the emphasis of "**/*.c".
  size_t end_of_glob(size_t at) const {
    if (!paragraph_.rest(at).starts_with("**/") || (at > 0 && (text_[at - 1] == '*' || is_alnum_byte(text_[at - 1]))))
      return kNoEnd;
    size_t end = at + 3;
    const auto is_part = [](char c) { return is_alnum_byte(c) || std::string_view("*./_-{}").find(c) != kNoEnd; };
    while (end < text_.size() && is_part(text_[end])) ++end;
    while (end > at && std::string_view(".-*").find(text_[end - 1]) != kNoEnd) --end;
    const std::string_view rest = text_.substr(at + 3, end - at - 3);
    return rest.find('*') != kNoEnd && rest.find("**") == kNoEnd && paragraph_.character(end) != '*' ? end : kNoEnd;
  }

  /// Of an inline note of pandoc: "^[text]".
  size_t end_of_note(size_t at) const {
    const size_t end = text_.find_first_of("[]", at + 2);
    if (end == kNoEnd || text_[end] != ']') return kNoEnd;
    return std::string_view("([^:").find(paragraph_.character(end + 1)) == kNoEnd ? end + 1 : kNoEnd;
  }

  /// Of a person, a package or a reference: "@name", "@org/package", "@fig-plot", "@name [p. 33]".
  size_t end_of_mention(size_t at) const {
    const size_t before = text_.substr(0, at).find_last_not_of("*_~") + 1;  // emphasis around it
    const bool begins = before == 0 || std::string_view(" \t\n([{\"'").find(text_[before - 1]) != kNoEnd;
    if (!begins || !is_letter(paragraph_.character(at + 1))) return kNoEnd;
    const auto is_part = [](char c) {
      return is_letter(c) || (c >= '0' && c <= '9') || std::string_view("_-/:.").find(c) != kNoEnd;
    };
    size_t end = at + 1;
    while (end < text_.size() && is_part(text_[end])) ++end;
    while (std::string_view("-/:._").find(text_[end - 1]) != kNoEnd) --end;
    return end > at + 2 ? end_of_locator(end) : kNoEnd;
  }

  /// Of citations of pandoc, "[see @name, p. 3; also @other]"; kNoEnd for a link. A name that is followed by a word is
  /// a key only if it has a digit: "[@maria they were tired]" is text.
  size_t end_of_citation(size_t at, bool line_begins) const {
    const size_t end = end_of_plain_brackets(at);
    if (end == kNoEnd || has_target(end, line_begins)) return kNoEnd;
    const std::string_view shown = text_.substr(0, end);
    for (size_t key = shown.find('@', at); key != kNoEnd; key = shown.find('@', key + 1)) {
      if (is_key_of_citation(key, end)) return end + 1;
    }
    return kNoEnd;
  }
  /// The place of the bracket that closes this one, if nothing is between them that may be code, a cell or another
  /// bracket.
  size_t end_of_plain_brackets(size_t at) const {
    const size_t end = text_.find_first_of("[]|`\\", at + 1);
    return end != kNoEnd && text_[end] == ']' ? end : kNoEnd;
  }
  /// Whether the brackets that end here are those of a link, or of its definition if they begin a line.
  bool has_target(size_t end, bool line_begins) const {
    return std::string_view(line_begins ? "([:" : "([").find(paragraph_.character(end + 1)) != kNoEnd;
  }
  bool is_key_of_citation(size_t at, size_t end) const {
    const bool begins = std::string_view("[ \t\n-;").find(text_[at - 1]) != kNoEnd;
    if (!begins || !is_alnum_byte(paragraph_.character(at + 1))) return false;
    const size_t behind = std::min(text_.find_first_of(" \t\r\n,;]@", at + 1), end);
    const bool has_digit = text_.substr(at, behind - at).find_first_of("0123456789") != kNoEnd;
    return std::string_view(",;]").find(text_[behind]) != kNoEnd || (has_digit && text_[behind] != '@');
  }
  /// Of the place behind a name, "@name [p. 33; @other]": it begins with a number or an abbreviation; otherwise `at`.
  size_t end_of_locator(size_t at) const {
    constexpr std::string_view kBegin = " [";
    if (!paragraph_.rest(at).starts_with(kBegin)) return at;
    const size_t begin = at + kBegin.size(), end = end_of_plain_brackets(begin - 1);
    if (end == kNoEnd || has_target(end, false)) return at;
    const std::string_view inside = text_.substr(begin, end - begin), word = inside.substr(0, inside.find(' '));
    const bool place = word.ends_with('.') || inside.find_first_of("0123456789") != kNoEnd;
    return place ? end + 1 : at;
  }

  /// Of a field of Dataview in Obsidian: "[due:: 2024-01-01]".
  size_t end_of_field(size_t at) const {
    size_t name = at + 1;
    while (is_name_byte(paragraph_.character(name))) ++name;
    if (name == at + 1 || !paragraph_.rest(name).starts_with(":: ")) return kNoEnd;
    const size_t end = end_of_plain_brackets(at);
    return end == kNoEnd || has_target(end, true) ? kNoEnd : end + 1;
  }

  /// Of the label of a table, or of a text that is used elsewhere, in bookdown: "(\#tab:cars)", "(ref:a)".
  size_t end_of_bookdown_label(size_t at) const {
    const std::string_view rest = paragraph_.rest(at);
    const size_t sign = rest.starts_with("(\\#") ? 3 : rest.starts_with("(ref:") ? 5 : 0;
    if (sign == 0) return kNoEnd;
    size_t end = at + sign;
    const auto is_part = [](char c) { return is_name_byte(c) || c == ':'; };
    while (is_part(paragraph_.character(end))) ++end;
    return end > at + sign && paragraph_.character(end) == ')' ? end + 1 : kNoEnd;
  }

  /// Of a command of Microsoft's documentation: "[!INCLUDE [note](a.md)]", "[!div class="a"]", "[!VIDEO https://a.b]",
  /// but not a label such as "[!NOTE]".
  size_t end_of_command(size_t at) const {
    size_t end = at + 2;
    while (is_letter(paragraph_.character(end)) || paragraph_.character(end) == '-') ++end;
    const char next = paragraph_.character(end);
    const std::string name = core::in_lower_case(text_.substr(at + 2, end - at - 2));
    const bool known = name == "include" || name == "div" || name == "video" || name.starts_with("code");
    if (!known || (next != ' ' && next != '[')) return kNoEnd;
    constexpr size_t kLongest = 500;
    for (int64_t depth = 1; end < at + kLongest && paragraph_.character(end) != '\n'; ++end) {
      depth += text_[end] == '[' ? 1 : text_[end] == ']' ? -1 : 0;
      if (depth == 0) return std::string_view("([:").find(paragraph_.character(end + 1)) == kNoEnd ? end + 1 : kNoEnd;
    }
    return kNoEnd;
  }

  size_t end_of_brackets(size_t at, bool line_begins) const {
    if (paragraph_.character(at + 1) == '!') return end_of_command(at);
    const size_t citation = end_of_citation(at, line_begins);
    if (citation != kNoEnd) return citation;
    if (const size_t field = end_of_field(at); field != kNoEnd) return field;
    constexpr std::string_view kContents = "[TOC]";
    if (paragraph_.rest(at).starts_with(kContents)) {
      const size_t end = at + kContents.size();
      return std::string_view("([:").find(paragraph_.character(end)) == kNoEnd ? end : kNoEnd;
    }
    if (!paragraph_.rest(at).starts_with("[[")) return kNoEnd;
    const size_t end = text_.find_first_of("[]\n", at + 2);
    if (end == kNoEnd || end == at + 2 || !paragraph_.rest(end).starts_with("]]")) return kNoEnd;
    const bool another = paragraph_.rest(end + 2).starts_with("[[");
    return another || std::string_view("([:").find(paragraph_.character(end + 2)) == kNoEnd ? end + 2 : kNoEnd;
  }

  /// Of ":smile:", also of several without anything between.
  size_t end_of_emoji(size_t at) const {
    const bool thumb = text_.substr(at, 2) == ":+" || text_.substr(at, 2) == ":-";
    if (!thumb && (paragraph_.word_before(at) || (at > 0 && text_[at - 1] == ':'))) return kNoEnd;
    size_t end = kNoEnd;
    for (size_t next = end_of_emoji_name(at); next != kNoEnd; next = end_of_emoji_name(next)) end = next;
    if (end == kNoEnd || thumb) return end;
    const char behind = paragraph_.character(end);
    return !is_alnum_byte(behind) && behind != ':' ? end : kNoEnd;
  }
  size_t end_of_emoji_name(size_t at) const {
    if (paragraph_.rest(at).starts_with(":+1:") || paragraph_.rest(at).starts_with(":-1:")) return at + 4;
    constexpr size_t kShortest = 2;
    if (paragraph_.character(at) != ':' || !is_letter(paragraph_.character(at + 1))) return kNoEnd;
    for (const char* letter : {":x:", ":o:", ":v:", ":m:"}) {
      if (paragraph_.rest(at).starts_with(letter)) return at + 3;
    }
    const auto is_part = [](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-'; };
    size_t end = at + 1;
    while (is_part(paragraph_.character(end))) ++end;
    return end > at + kShortest && paragraph_.character(end) == ':' ? end + 1 : kNoEnd;
  }

  Paragraph paragraph_;
  TemplateFinder templates_;
  std::string_view text_;  // of the paragraph
  size_t offset_;          // of the paragraph
  const DocumentTraits& traits_;
  BraceEffort effort_;
  std::vector<ByteRange> in_targets_, attributes_;  // in the document
  std::vector<size_t> brackets_;  // that are open
  size_t chain_end_ = 0;  // of spans without anything between, and without code among them
  size_t plain_from_ = 0, plain_until_ = 0;  // no address with signs of emphasis begins between
};

}  // namespace

void find_extensions(std::string_view paragraph, size_t offset, const DocumentTraits& traits,
                     MarkdownExtensions& found) {
  SpanFinder(paragraph, offset, traits).find(found);
}

}  // namespace ventris::markup
