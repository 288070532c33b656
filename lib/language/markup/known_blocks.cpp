#include "markup/known_blocks.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/ascii.h"
#include "core/process.h"
#include "markup/characters.h"
#include "markup/delimiter_rows.h"
#include "markup/directives.h"
#include "markup/fences.h"
#include "markup/grid_tables.h"
#include "markup/lettered_items.h"
#include "markup/line_extensions.h"
#include "markup/simple_tables.h"
#include "markup/tex_signs.h"
#include "text/tokenizer.h"

namespace ventris::markup {
namespace {

using text::ByteRange;

constexpr size_t kIndentation = 4;  // of what is in a box, and of code

/// The elements that begin a block of HTML (kind 6).
const std::set<std::string_view> kBlockElements{
    "address",  "article",    "aside",  "base",    "basefont", "blockquote", "body",     "caption",  "center",
    "col",      "colgroup",   "dd",     "details", "dialog",   "dir",        "div",      "dl",       "dt",
    "fieldset", "figcaption", "figure", "footer",  "form",     "frame",      "frameset", "h1",       "h2",
    "h3",       "h4",         "h5",     "h6",      "head",     "header",     "hr",       "html",     "iframe",
    "legend",   "li",         "link",   "main",    "menu",     "menuitem",   "nav",      "noframes", "ol",
    "optgroup", "option",     "p",      "param",   "search",   "section",    "source",   "summary",  "table",
    "tbody",    "td",         "tfoot",  "th",      "thead",    "title",      "tr",       "track",    "ul"};

/// Those that the parser does not know, and one that it knows with as many letters.
constexpr std::array<std::pair<std::string_view, std::string_view>, 15> kUnknown{{{"basefont", "fieldset"},
                                                                                  {"colgroup", "fieldset"},
                                                                                  {"frameset", "fieldset"},
                                                                                  {"h2", "h1"},
                                                                                  {"h3", "h1"},
                                                                                  {"h4", "h1"},
                                                                                  {"h5", "h1"},
                                                                                  {"h6", "h1"},
                                                                                  {"header", "footer"},
                                                                                  {"link", "base"},
                                                                                  {"menuitem", "fieldset"},
                                                                                  {"param", "tbody"},
                                                                                  {"search", "footer"},
                                                                                  {"thead", "tbody"},
                                                                                  {"track", "tbody"}}};

/// The name of the tag at the beginning of the line, if it begins a block; otherwise empty.
std::string_view block_element(std::string_view line) {
  if (!line.starts_with('<')) return {};
  const size_t begin = line.starts_with("</") ? 2 : 1;
  size_t end = begin;
  while (end < line.size() && is_alnum_byte(line[end])) ++end;
  const std::string_view rest = line.substr(end);
  const bool ends =
      rest.empty() || std::string_view(" \t\r>").find(rest.front()) != std::string_view::npos || rest.starts_with("/>");
  const std::string_view name = line.substr(begin, end - begin);
  return ends && kBlockElements.contains(core::in_lower_case(name)) ? name : std::string_view();
}

/// What is inside the signs of a tag of a template that fills a line; empty if it does not.
std::string_view content_of_template(std::string_view line) {
  line = without_blanks_behind(line);
  for (const auto& [begin, end] : {std::pair("{{<", ">}}"), {"{{%", "%}}"}, {"{%", "%}"}}) {
    const std::string_view first = begin, last = end;
    if (!line.starts_with(first) || !line.ends_with(last) || line.size() < first.size() + last.size()) continue;
    const std::string_view inside = line.substr(first.size(), line.size() - first.size() - last.size());
    return inside.find(first) == std::string_view::npos ? inside : std::string_view();
  }
  return {};
}

/// "\end{table}" for a line that begins with "\begin{table}"; empty for other lines, and for a formula, which
/// end_of_formula() finds.
std::string environment_of(std::string_view line) {
  constexpr std::string_view kBegin = "\\begin{";
  const size_t end = line.starts_with(kBegin) ? line.find('}') : std::string_view::npos;
  if (end == std::string_view::npos || line.find("\\end{") != std::string_view::npos) return "";
  const std::string name(line.substr(kBegin.size(), end - kBegin.size()));
  return name.empty() || is_formula_environment(name) ? "" : "\\end{" + name + "}";
}

/// Whether the line begins a definition, with text behind one to three spaces.
bool begins_definition(std::string_view line) {
  constexpr size_t kMostSpaces = 3;
  const size_t spaces = line.starts_with(':') || line.starts_with('~') ? run_of(line, 1, " ") : 0;
  return spaces > 0 && spaces <= kMostSpaces && spaces + 1 < line.size() && line[spaces + 1] != '\r';
}

/// Whether the line begins a box whose content is code: "::: mermaid", ":::{code-block} python".
bool begins_box_of_code(std::string_view line) {
  constexpr size_t kLeastSigns = 3, kMostSigns = 10;
  line = without_blanks_behind(line);
  const size_t signs = run_of(line, 0, ":");
  if (signs < kLeastSigns || signs > kMostSigns) return false;
  const std::string_view name = line.substr(signs + run_of(line, signs, " "));
  const size_t close = name.starts_with('{') ? name.find('}') : std::string_view::npos;
  return name == "mermaid" || (close != std::string_view::npos && is_directive_of_code(name.substr(1, close - 1)));
}

/// What the end of the code is looked for by that begins with this line: the colons of a box, "\\end{name}", or the
/// name of a template. Empty if the line begins no code.
std::string name_of_code(std::string_view line) {
  if (begins_box_of_code(line)) return std::string(run_of(line, 0, ":"), ':');
  std::string environment = environment_of(line), name = name_of_template(line);
  if (!environment.empty()) return environment;
  return is_code_of_template(name) ? name : "";
}

class KnownBlocks {
 public:
  explicit KnownBlocks(std::string document) : document_(std::move(document)) {}

  std::string write() {
    constexpr int64_t kLines = 4096;
    int64_t lines = 0;
    for (size_t at = 0; at < document_.size();) {
      if (++lines % kLines == 0) core::throw_if_stopped("parsing");
      const ByteRange text = text_of_line(at);
      size_t behind = fences_.take(raw(text)) ? text.end + 1 : behind_code({at, text.begin}, text);
      if (behind == std::string_view::npos) behind = behind_table(at, text);
      if (behind == std::string_view::npos) {
        end_component(text);
        rename(text);
        make_item(text);
        const size_t letters = lettered_.take(document_, at, text);
        fill({text.begin, text.begin + letters}, '1');
      }
      blank_before_ = text.begin == text.end || raw(text) == "\r";
      at = behind != std::string_view::npos ? behind : text.end + 1;
    }
    return std::move(document_);
  }

 private:
  /// Of the line that begins here.
  ByteRange text_of_line(size_t at) const {
    const size_t end = std::min(document_.find('\n', at), document_.size());
    const std::string_view line = std::string_view(document_).substr(at, end - at);
    return {end - without_container(line).size(), end};
  }
  std::string_view raw(ByteRange range) const {
    return std::string_view(document_).substr(range.begin, range.end - range.begin);
  }

  void rename(ByteRange line) {
    const std::string_view name = block_element(raw(line));
    if (name.empty()) return;
    const std::string small = core::in_lower_case(name);
    const auto* const unknown =
        std::ranges::find(kUnknown, std::string_view(small), [](const auto& row) { return row.first; });
    if (unknown == kUnknown.end()) return;
    document_.replace(static_cast<size_t>(name.data() - document_.data()), name.size(), unknown->second);
  }

  /// Makes an empty heading of the line that ends a component (end_of_component).
  void end_component(ByteRange line) {
    const std::string_view text = without_blanks_behind(raw(line));
    if (const std::string_view end = end_of_component(text); !end.empty()) {
      ++components_[std::string(end)];
      return;
    }
    const auto open = components_.find(text);
    if (open == components_.end() || open->second == 0) return;
    --open->second;
    fill({line.begin, line.begin + text.size()}, '#');
  }

  /// Makes an item of a list of a definition, and of a line that begins a box: the text of such a line becomes code.
  void make_item(ByteRange line) {
    const std::string_view text = raw(line);
    const size_t size = begins_box(text) ? without_blanks_behind(text).size() : 0;
    if (text.starts_with("#. ") || text.starts_with("#.\t")) document_[line.begin] = '1';  // a number in pandoc
    const bool indented = line.begin > 0 && document_[line.begin - 1] == ' ';
    if (size == 0 && (!begins_definition(text) || (text.starts_with('~') && !indented))) return;
    if (size > kIndentation) {
      fill({line.begin + 1, line.begin + kIndentation}, ' ');
      fill({line.begin + kIndentation, line.begin + size}, 'x');
      document_[line.begin + kIndentation] = document_[line.begin + size - 1] = '`';
    }
    document_[line.begin] = '+';
  }

  /// What stands before the text of a line in the lines below of the same block: spaces in the place of markers of
  /// lists.
  std::string prefix_of(ByteRange before) const {
    std::string prefix(raw(before));
    std::ranges::replace_if(prefix, [](char c) { return c != '>' && c != '\t'; }, ' ');
    return prefix;
  }

  /// Makes fences of the lines around code that begins with this one, `before` of which is not its text. Where the line
  /// behind them begins; npos if it begins no code, nothing ends it, or the parser would not take both for fences.
  size_t behind_code(ByteRange before, ByteRange begin) {
    const std::string name = name_of_code(raw(begin));
    if (name.empty()) return std::string_view::npos;
    const std::string prefix = prefix_of(before);
    if (prefix == raw(before) && prefix.size() - (prefix.find_last_of('>') + 1) >= kIndentation) {
      return std::string_view::npos;
    }
    const CodeEnd end = name.starts_with('\\') ? end_of_environment(name, begin.end) : end_of_code(name, begin.end);
    if (end.line == std::string::npos || raw({end.line, end.text.begin}) != prefix) return std::string_view::npos;
    make_fences(begin, end.text);
    return end.text.end + 1;
  }
  /// Makes fences of the texts of two lines, the first of which is not longer than the last.
  void make_fences(ByteRange first, ByteRange last) {
    const size_t signs = std::min(first.end - first.begin, last.end - last.begin);
    fill({first.begin, first.begin + signs}, '~');
    fill({first.begin + signs, first.end}, 'x');
    fill(last, '~');
  }
  /// Makes fences of the first and the last line of a table, the first one of which is this; npos if it is none. Of a
  /// grid table, or of pandoc's tables without bars.
  size_t behind_table(size_t line, ByteRange text) {
    size_t end = end_of_grid_table(document_, line, text.begin);
    if (end != std::string::npos) {
      make_fences(text, text_of_line(document_.rfind('\n', end - 1) + 1));
      return end + 1;
    }
    const bool plain = raw({line, text.begin}).find_first_not_of(' ') == std::string_view::npos;
    end = plain && blank_before_ ? end_of_simple_table(document_, line) : std::string::npos;
    if (end == std::string::npos) return end;
    make_fences({line, text.end}, {document_.rfind('\n', end - 1) + 1, end});
    return end + 1;
  }

  /// The next line that ends the code with this name, and the text in it; npos if there is none. It is looked for again
  /// only behind the last one.
  struct CodeEnd {
    size_t line = 0;
    ByteRange text = {};
  };
  const CodeEnd& end_of_code(const std::string& name, size_t from) {
    CodeEnd& last = code_ends_[name];
    if (last.line > from) return last;
    for (size_t at = from + 1; at < document_.size(); at = last.text.end + 1) {
      last = {at, text_of_line(at)};
      const std::string_view text = raw(last.text);
      const std::string found = name_of_template(text);
      const bool ends =
          name.starts_with(':') ? without_blanks_behind(text) == name : found == "end" + name || found == "/" + name;
      if (ends) return last;
    }
    last.line = std::string::npos;
    return last;
  }
  /// The same for an environment of TeX, whose name a document chooses: all ends are looked for once.
  CodeEnd end_of_environment(const std::string& end, size_t from) {
    if (!environment_ends_) environment_ends_ = environment_ends();
    const std::vector<CodeEnd>& ends = (*environment_ends_)[end];
    const auto next = std::ranges::upper_bound(ends, from, {}, &CodeEnd::line);
    return next == ends.end() ? CodeEnd{std::string::npos} : *next;
  }
  std::map<std::string, std::vector<CodeEnd>> environment_ends() const {
    std::map<std::string, std::vector<CodeEnd>> ends;
    for (size_t at = 0; at < document_.size();) {
      const ByteRange text = text_of_line(at);
      if (raw(text).starts_with("\\end{")) {
        ends[std::string(raw(text).substr(0, raw(text).find('}') + 1))].push_back({at, text});
      }
      at = text.end + 1;
    }
    return ends;
  }
  void fill(ByteRange range, char with) {
    std::fill_n(document_.begin() + static_cast<int64_t>(range.begin), range.end - range.begin, with);
  }

  std::string document_;
  Fences fences_;
  bool blank_before_ = true;                    // the line before is empty
  std::map<std::string, int64_t, std::less<>> components_;  // how many are open, by what ends them
  LetteredItems lettered_;
  std::map<std::string, CodeEnd> code_ends_;  // by the names of code
  std::optional<std::map<std::string, std::vector<CodeEnd>>> environment_ends_;  // by "\end{name}"
};

}  // namespace

std::string_view without_container(std::string_view line) {
  for (;;) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t>"), line.size()));
    const size_t marker = size_of_list_marker(line);
    if (marker == 0) return line;
    line.remove_prefix(marker);
  }
}

std::string name_of_template(std::string_view tag) {
  constexpr std::string_view kBeforeName = " \t-", kBehindName = " \t\n";
  std::string_view inside = content_of_template(tag);
  inside.remove_prefix(std::min(inside.find_first_not_of(kBeforeName), inside.size()));
  const bool ends = inside.starts_with('/');
  if (ends) inside.remove_prefix(std::min(inside.find_first_not_of(kBeforeName, 1), inside.size()));
  std::string_view name = inside.substr(0, inside.find_first_of(kBehindName));
  if (name.ends_with('-')) name.remove_suffix(1);  // of "-%}"
  return (ends ? "/" : "") + std::string(name);
}

bool is_code_of_template(std::string_view name) {
  constexpr std::array<std::string_view, 18> kCode{
      "highlight", "codeblock", "code",       "comment",    "mermaid", "plantuml", "math",   "katex", "code-toggle",
      "schema",    "style",     "stylesheet", "javascript", "chart",   "prism",    "typeit", "kroki", "cmd"};
  return std::ranges::find(kCode, name) != kCode.end();
}

bool begins_box(std::string_view line) {
  constexpr size_t kShortest = 6;
  constexpr std::string_view kSpaces = " \t\r";
  line = without_blanks_behind(line);
  const bool box = line.starts_with("!!!") || line.starts_with("???");
  if ((!box && !line.starts_with("===")) || line.size() < kShortest) return false;
  const size_t after_sign = 3 + (line[3] == '+' || (!box && line[3] == '!') ? 1 : 0);
  const size_t word = after_sign + run_of(line, after_sign, kSpaces);
  if (word == after_sign || word == line.size()) return false;
  size_t word_end = word;
  while (word_end < line.size() && (is_letter(line[word_end]) || line[word_end] == '-')) ++word_end;
  const bool titled = line.ends_with('"') && line.find('"', word_end) < line.size() - 1;
  const std::string_view rest = line.substr(word_end);
  const bool named = box && word_end > word && (rest.empty() || rest == " inline" || rest == " inline end");
  return titled || named;
}

bool begins_html_block(std::string_view line) {
  constexpr std::array<std::string_view, 4> kRaw{"<pre", "<script", "<style", "<textarea"};
  const std::string start = core::in_lower_case(line.substr(0, std::min<size_t>(line.size(), 12)));
  const bool raw = std::ranges::any_of(kRaw, [&](std::string_view tag) {
    const std::string_view rest = std::string_view(start).substr(std::min(tag.size(), start.size()));
    return start.starts_with(tag) &&
           (rest.empty() || std::string_view(" \t\r>").find(rest.front()) != std::string_view::npos);
  });
  const bool declares = line.starts_with("<!") && line.size() > 2 && (is_letter(line[2]) || line[2] == '[');
  return raw || declares || line.starts_with("<!--") || line.starts_with("<?") || !block_element(line).empty();
}

std::string with_known_blocks(std::string document) { return KnownBlocks(std::move(document)).write(); }

}  // namespace ventris::markup
