#include "markup/directives.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "markup/characters.h"
#include "markup/each_line.h"
#include "markup/fences.h"
#include "markup/known_blocks.h"
#include "markup/line_extensions.h"

namespace ventris::markup {
namespace {

constexpr std::string_view kBlanksInDirective = " \t\r";

/// Directives whose content is text, and that have no title.
bool has_text(std::string_view name) {
  constexpr std::array<std::string_view, 34> kTexts{
      "option",      "envvar",     "confval",     "only",      "figure-md",     "py:function", "py:class",
      "figure",      "grid",       "grid-item",   "tab-set",   "card-carousel", "container",   "epigraph",
      "pull-quote",  "highlights", "compound",    "div",       "theorem",       "lemma",       "corollary",
      "proposition", "conjecture", "definition",  "example",   "hypothesis",    "proof",       "remark",
      "block",       "block2",     "prf:theorem", "prf:proof", "button-link",   "solution"};
  return std::ranges::find(kTexts, name) != kTexts.end() || name.starts_with("prf:");
}

/// A line that begins a directive.
struct Opening {
  size_t signs = 0;  // of its fence; 0: it begins none
  size_t title = 0;  // where a title begins; 0: there is none
};

Opening read_opening(std::string_view line) {
  constexpr size_t kShortest = 3;
  const size_t signs = line.empty() || (line[0] != '`' && line[0] != '~') ? 0 : run_of(line, 0, line.substr(0, 1));
  const size_t open = signs + run_of(line, signs, " ");
  if (signs < kShortest || open >= line.size() || line[open] != '{') return {};
  const size_t name_end = line.find_first_of(" ,}", open), close = line.find('}', open);
  if (close == std::string_view::npos) return {};
  const std::string_view name = line.substr(open + 1, name_end - open - 1);
  if (!is_titled_directive(name) && !has_text(name)) return {};
  const size_t title = close + 1 + run_of(line, close + 1, kBlanksInDirective);
  return {signs, is_titled_directive(name) && title < line.size() ? title : 0};
}

class Directives {
 public:
  explicit Directives(std::string document) : document_(std::move(document)) {}

  std::string write() {
    each_line(document_, [this](size_t begin, size_t end) {
      const std::string_view line = std::string_view(document_).substr(begin, end - begin);
      const size_t text = end - without_container(line).size();
      leave_containers(line.substr(0, text - begin), text == end);
      read(begin, text, end);
    });
    return std::move(document_);
  }

 private:
  enum class Options { kOver, kLines, kYaml };  // what may come next of a directive

  /// A directive that is open, and the quotations and the list around it.
  struct Open {
    std::string fence;
    int64_t quotations = 0;
    size_t column = 0;  // of the item of a list in which it is; 0 = in none
  };

  static int64_t quotations_of(std::string_view before) { return std::ranges::count(before, '>'); }

  /// Ends the directives whose quotation or item of a list ends with the line before this one.
  void leave_containers(std::string_view before, bool blank) {
    const auto is_over = [&](const Open& open) {
      return quotations_of(before) < open.quotations || (!blank && before.size() < open.column);
    };
    for (; !open_.empty() && is_over(open_.back()); open_.pop_back()) options_ = Options::kOver;
  }

  /// The line whose text is between these bytes; `line_begin`: where it begins, with what is before its text.
  void read(size_t line_begin, size_t begin, size_t end) {
    const std::string_view line = std::string_view(document_).substr(begin, end - begin);
    if (fences_.inside()) {
      fences_.take(line);
      return;
    }
    if (ends_directive(line)) {
      open_.pop_back();
      options_ = Options::kOver;
      return make_rule(begin, end);
    }
    const Opening opening = read_opening(line);
    if (opening.signs > 0) {
      const std::string_view before = std::string_view(document_).substr(line_begin, begin - line_begin);
      const bool in_list = before.find_first_not_of(" \t>") != std::string_view::npos;
      open_.push_back({std::string(line.substr(0, opening.signs)), quotations_of(before), in_list ? before.size() : 0});
      options_ = Options::kLines;
      return opening.title > 0 ? make_heading(begin, begin + opening.title) : make_rule(begin, end);
    }
    if (take_option(line)) return make_rule(begin, end);
    fences_.take(line);
  }
  bool ends_directive(std::string_view line) const {
    if (open_.empty() || line.empty()) return false;
    const std::string_view fence = open_.back().fence;
    const size_t signs = run_of(line, 0, fence.substr(0, 1));
    return signs >= fence.size() && run_of(line, signs, kBlanksInDirective) == line.size() - signs;
  }
  /// Whether the line is one of the options of a directive: directly below it, or between lines of "---".
  bool take_option(std::string_view line) {
    const bool dashes = line.substr(0, line.find_last_not_of(kBlanksInDirective) + 1) == "---";
    const Options before = options_;
    if (before == Options::kYaml) {
      if (dashes) options_ = Options::kOver;
      return line.size() > 2;  // a shorter one is kept as text
    }
    if (before == Options::kLines && dashes) options_ = Options::kYaml;
    if (before == Options::kLines && !dashes && !is_option_of_myst(line, kBlanksInDirective)) options_ = Options::kOver;
    return before == Options::kLines && options_ != Options::kOver;
  }

  void make_rule(size_t begin, size_t end) { fill(begin, end, '*'); }
  void make_heading(size_t begin, size_t title) {
    fill(begin, title, ' ');
    document_[begin] = '#';
  }
  void fill(size_t begin, size_t end, char with) {
    std::fill(document_.begin() + static_cast<int64_t>(begin), document_.begin() + static_cast<int64_t>(end), with);
  }

  std::string document_;
  Fences fences_;
  std::vector<Open> open_;
  Options options_ = Options::kOver;
};

}  // namespace

std::string with_open_directives(std::string document) { return Directives(std::move(document)).write(); }

bool is_titled_directive(std::string_view name) {
  constexpr std::array<std::string_view, 26> kTitled{
      "note",       "warning",  "tip",          "hint",           "important",  "attention", "caution",
      "danger",     "error",    "seealso",      "todo",           "admonition", "sidebar",   "margin",
      "topic",      "dropdown", "card",         "tab-item",       "aside",      "exercise",  "grid-item-card",
      "list-table", "table",    "versionadded", "versionchanged", "deprecated"};
  return std::ranges::find(kTitled, name) != kTitled.end();
}

bool is_directive_of_code(std::string_view name) {
  constexpr std::array<std::string_view, 21> kCode{
      "code",    "code-block",      "code-cell", "sourcecode", "literalinclude", "include",   "raw",
      "math",    "mermaid",         "graphviz",  "digraph",    "plantuml",       "toctree",   "eval-rst",
      "ipython", "jupyter-execute", "image",     "video",      "bibliography",   "highlight", "tableofcontents"};
  return std::ranges::find(kCode, name) != kCode.end();
}

}  // namespace ventris::markup
