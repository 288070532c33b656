#include "markup/delimiter_rows.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "markup/characters.h"
#include "markup/known_blocks.h"

namespace ventris::markup {
namespace {

constexpr size_t kLeastOfCell = 3;  // characters of a cell that the parser knows

/// What begins quotations, which the row below repeats.
std::string_view without_quotation(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t>"), line.size()));
  return line;
}

/// How many cells the head of a table has, if this line is one.
size_t cells_of_head(std::string_view line) {
  line = without_container(without_blanks_behind(line));
  if (line.empty()) return 0;
  size_t pipes = 0;
  bool last_is_pipe = false;
  for (size_t at = 0; at < line.size(); ++at) {
    last_is_pipe = line[at] == '|';
    if (last_is_pipe && at > 0) ++pipes;  // the first one only begins the row
    if (line[at] == '\\') ++at;
  }
  return pipes + (last_is_pipe && line.size() > 1 ? 0 : 1);
}

/// A delimiter row.
struct FoundRow {
  size_t begin = 0;    ///< in its line
  size_t cells = 0;
  std::string longer;  ///< empty: the parser knows it as it is
};

/// A cell that has at least kLeastOfCell characters; empty if it is none.
std::string longer_cell(std::string_view cell) {
  const size_t first = cell.find_first_not_of(" \t");
  if (first == std::string_view::npos) return "";
  const std::string_view signs = cell.substr(first, cell.find_last_not_of(" \t") + 1 - first);
  std::string_view hyphens = signs;
  if (hyphens.starts_with(':')) hyphens.remove_prefix(1);
  if (hyphens.ends_with(':')) hyphens.remove_suffix(1);
  if (hyphens.empty() || hyphens.find_first_not_of('-') != std::string_view::npos) return "";
  std::string longer(cell);
  const size_t missing = signs.size() < kLeastOfCell ? kLeastOfCell - signs.size() : 0;
  return longer.insert(cell.find('-'), missing, '-');
}

/// Reads a line as a delimiter row. No cells: it is none, or could also be an underline or an item of a list.
FoundRow read_row(std::string_view line) {
  const std::string_view row = without_quotation(without_blanks_behind(line));
  FoundRow found;
  found.begin = static_cast<size_t>(row.data() - line.data());
  const bool item = row.starts_with('-') && (row.size() == 1 || row[1] == ' ' || row[1] == '\t');
  if (item || row.find_first_of("|:") == std::string_view::npos) return found;
  std::string longer;
  size_t cells = 0, at = 0;
  if (row.starts_with('|')) at = 1;
  longer += '|';
  while (at < row.size()) {
    const size_t end = std::min(row.find('|', at), row.size());
    const std::string cell = longer_cell(row.substr(at, end - at));
    if (cell.empty()) return found;
    ++cells;
    longer += cell;
    if (end < row.size()) longer += '|';
    at = end + 1;
  }
  found.cells = cells;
  const bool known = row.find('|') != std::string_view::npos && longer.size() <= row.size() + (row[0] == '|' ? 0 : 1);
  if (!known) found.longer = std::move(longer);
  return found;
}

/// How far a line is indented; 0 in a quotation.
size_t indentation(std::string_view line) {
  const size_t spaces = std::min(line.find_first_not_of(' '), line.size());
  return line.substr(spaces).starts_with('>') ? 0 : spaces;
}

/// Whether this line below a table is no row of it, but code, HTML, a formula or a heading, which the parser does not
/// know. `column`: where the rows of the table begin.
bool ends_table(std::string_view whole_line, size_t column) {
  constexpr size_t kLeastOfCode = 4;
  const std::string_view line = without_quotation(without_blanks_behind(whole_line));
  const size_t hashes = std::min(line.find_first_not_of('#'), line.size());
  const bool heading =
      hashes > 0 && hashes <= 6 && (hashes == line.size() || line[hashes] == ' ' || line[hashes] == '\t');
  const bool formula = line == "`$" || line == "`[";  // as with_code_at() has it
  return heading || formula || line.starts_with("```") || line.starts_with("~~~") || begins_html_block(line) ||
         indentation(whole_line) >= column + kLeastOfCode;
}

/// Whether this line below a table begins another block, as the parser knows: an item of a list, or a rule. Behind the
/// end of a comment, in which a table was none, another one can begin, too.
bool begins_block(std::string_view line) {
  line = without_quotation(without_blanks_behind(line));
  const bool rule = !line.empty() && std::string_view("*-_").find(line[0]) != std::string_view::npos &&
                    std::ranges::count(line, line[0]) >= 3 &&
                    line.find_first_not_of(std::string{line[0], ' ', '\t'}) == std::string_view::npos;
  return rule || size_of_list_marker(line) > 0 || (line.ends_with("-->") && !begins_html_block(line));
}

bool is_blank_line(std::string_view line) { return without_quotation(without_blanks_behind(line)).empty(); }

}  // namespace

bool may_be_delimiter_row(std::string_view line) {
  constexpr size_t kNone = std::string_view::npos;
  return line.find('-') != kNone && line.find_first_of("|:") != kNone && line.find_first_not_of(" \t\r>|:-") == kNone;
}

size_t size_of_list_marker(std::string_view line) {
  size_t size = 0;
  if (!line.empty() && std::string_view("-+*").find(line[0]) != std::string_view::npos) {
    size = 1;
  } else {
    while (size < line.size() && std::isdigit(static_cast<unsigned char>(line[size])) != 0) ++size;
    const bool number = size > 0 && size < line.size() && (line[size] == '.' || line[size] == ')');
    size = number ? size + 1 : 0;
  }
  if (size == 0) return 0;
  const size_t behind = std::min(line.find_first_not_of(" \t", size), line.size());
  return behind == size && size < line.size() ? 0 : behind;
}

DelimiterRows::DelimiterRows(std::string_view document) : document_(document) {
  std::string_view before, above;  // the last line, and the one before it
  bool in_table = false;
  size_t column = 0;  // where the rows of the table begin
  for (size_t at = 0; at < document.size();) {
    const size_t end = std::min(document.find('\n', at), document.size());
    const std::string_view line = document.substr(at, end - at);
    if (is_blank_line(line) || (in_table && begins_block(line))) in_table = false;
    const bool possible = !before.empty() && !in_table && may_be_delimiter_row(line);
    FoundRow found = possible ? read_row(line) : FoundRow();
    if (found.cells > 0 && found.cells == cells_of_head(before)) {
      in_table = true;
      column = indentation(line);
      const bool below_text = !is_blank_line(above) && size_of_list_marker(without_quotation(before)) == 0;
      const std::string_view row = without_blanks_behind(line.substr(found.begin));
      const size_t begin = at + found.begin;
      Row added{{begin, begin + row.size()}, found.longer.empty() ? std::string(row) : std::move(found.longer)};
      if (below_text) added.head = {at - before.size() - 1, at - 1};
      rows_.push_back(std::move(added));
    } else if (in_table && ends_table(line, column)) {
      in_table = false;
      rows_.push_back(empty_line(Row::Kind::kLineBelow, {at, end}));
    }
    above = before;
    before = line;
    at = end + 1;
  }
}

/// An empty line before this one.
DelimiterRows::Row DelimiterRows::empty_line(Row::Kind kind, ByteRange line) const {
  const std::string_view text = document_.substr(line.begin, line.end - line.begin);
  const std::string_view prefix = text.substr(0, text.size() - without_quotation(text).size());
  return {{line.begin, line.begin}, std::string(without_blanks_behind(prefix)) + "\n", kind};
}

std::string DelimiterRows::widened() {
  std::string text;
  size_t done = 0;
  for (Row& row : rows_) {
    text += document_.substr(done, row.range.begin - done);
    row.wide = {text.size(), text.size() + row.longer.size()};
    text += row.longer;
    done = row.range.end;
  }
  return text += document_.substr(done);
}

/// The number of the first row that ends behind this place of the longer document.
size_t DelimiterRows::first_behind(size_t at) const {
  const auto row = std::ranges::upper_bound(rows_, at, {}, [](const Row& of) { return of.wide.end; });
  return static_cast<size_t>(row - rows_.begin());
}

void DelimiterRows::note_text(ByteRange range, bool in_paragraph) {
  for (size_t row = first_behind(range.begin); row < rows_.size() && rows_[row].wide.begin < range.end; ++row) {
    rows_[row].is_text = true;
    rows_[row].in_paragraph = in_paragraph;
  }
}

void DelimiterRows::note_code(size_t line) {
  const size_t begin = place(line);
  added_.push_back(
      empty_line(Row::Kind::kLineAboveCode, {begin, std::min(document_.find('\n', begin), document_.size())}));
}

bool DelimiterRows::drop_text() {
  bool changed = false, dropped = false;  // dropped: the last delimiter row
  std::vector<Row> left;
  for (Row& row : std::exchange(rows_, {})) {
    if (row.kind == Row::Kind::kDelimiters) {
      const bool another_chance = row.is_text && row.in_paragraph && row.head.end > 0;
      changed |= row.is_text;
      dropped = row.is_text && !another_chance;
      if (row.is_text && !left.empty() && left.back().kind == Row::Kind::kLineAbove) left.pop_back();
      if (another_chance) left.push_back(empty_line(Row::Kind::kLineAbove, std::exchange(row.head, {})));
    }
    const bool of_table = row.kind == Row::Kind::kDelimiters || row.kind == Row::Kind::kLineBelow;
    if (of_table && dropped) continue;
    row.is_text = false;
    left.push_back(std::move(row));
  }
  changed |= !added_.empty();
  left.insert(left.end(), added_.begin(), added_.end());
  added_.clear();
  std::ranges::stable_sort(left, {}, [](const Row& row) { return row.range.begin; });
  rows_ = std::move(left);
  return changed;
}

size_t DelimiterRows::place(size_t at) const {
  const size_t row = first_behind(at);
  return row == 0 ? at : at - rows_[row - 1].wide.end + rows_[row - 1].range.end;
}

}  // namespace ventris::markup
