#include "markup/grid_tables.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "core/error.h"
#include "markup/characters.h"
#include "markup/fences.h"
#include "markup/known_blocks.h"
#include "markup/markdown.h"
#include "markup/markdown_extensions.h"
#include "markup/text_cursor.h"

namespace ventris::markup {
namespace {

using Cells = std::vector<std::string>;

constexpr size_t kNoTable = std::string_view::npos;

/// "+---+:==:+"
bool is_border(std::string_view line) {
  constexpr size_t kShortest = 3;
  line = without_blanks_behind(line);
  return line.size() >= kShortest && line.starts_with('+') && line.ends_with('+') &&
         line.find_first_not_of("+-=:") == std::string_view::npos && line.find_first_of("-=") == 1 + (line[1] == ':');
}

/// ":---:"
bool is_part_of_border(std::string_view signs) {
  return signs.find_first_not_of("-=:") == kNoTable && signs.find_first_of("-=") != kNoTable;
}

/// How many columns of a terminal the text takes.
size_t width_of(std::string_view text) {
  size_t width = 0;
  for (size_t at = 0; at < text.size();) width += is_cjk(next_character(text, at)) ? 2 : 1;
  return width;
}

/// What is between the signs at these columns of a line; none if other signs are there.
Cells cells_of(std::string_view line, const std::vector<size_t>& columns, char sign) {
  Cells cells;
  size_t column = 0, next = 0, begin = 0, at = 0;
  for (; at < line.size() && next < columns.size();) {
    const size_t place = at;
    const size_t size = is_cjk(next_character(line, at)) ? 2 : 1;
    if (column == columns[next]) {
      if (line[place] != sign) return {};
      if (next > 0) cells.emplace_back(line.substr(begin, place - begin));
      begin = at;
      ++next;
    }
    column += size;
  }
  return next == columns.size() && at == line.size() ? cells : Cells();
}

/// The lines of a cell without what indents all of them, and without empty ones at the end.
std::string content_of(const Cells& lines) {
  size_t least = kNoTable;
  for (const std::string& line : lines) least = std::min(least, line.find_first_not_of(' '));
  std::string content;
  for (const std::string& line : lines) {
    const std::string_view shown = without_blanks_behind(line);
    content += std::string(shown.substr(std::min(least, shown.size()))) + "\n";
  }
  content.erase(content.find_last_not_of('\n') + 1);
  return content;
}

/// A line of a table: a border, or a row, which may have several lines.
struct GridRow {
  bool border = false;
  Cells cells = {};  // of a border, its signs
};

/// A cell as a document of its own.
struct GridCell {
  std::string content;
  std::vector<std::string> before = {};  // of each of its blocks
  std::string after = {};
};

struct GridTable {
  ByteRange range;     // in the document
  std::string prefix;  // of each line but the first
  std::vector<GridRow> rows;
};

std::vector<size_t> columns_of(std::string_view border) {
  std::vector<size_t> columns;
  for (size_t at = 0; at < border.size(); ++at) {
    if (border[at] == '+') columns.push_back(at);
  }
  return columns;
}

/// Reads the table in these bytes, which begin behind the prefix; no rows if its cells do not stand below each other.
GridTable read_table(std::string_view document, ByteRange range, std::string_view prefix) {
  GridTable table{range, std::string(prefix), {}};
  std::vector<size_t> columns;
  std::vector<Cells> lines;  // of each column of the row
  for (size_t at = range.begin; at < range.end;) {
    const size_t end = std::min(document.find('\n', at), range.end);
    const std::string_view line = without_blanks_behind(document.substr(at, end - at));
    const bool border = line.starts_with('+');
    if (columns.empty()) columns = columns_of(line);
    const Cells cells = cells_of(line, columns, border ? '+' : '|');
    const bool drawn = !border || std::ranges::all_of(cells, is_part_of_border);
    if (cells.empty() || !drawn) return {range, "", {}};
    if (border && !lines.empty()) {
      GridRow row;
      std::ranges::transform(lines, std::back_inserter(row.cells), content_of);
      table.rows.push_back(std::move(row));
    }
    if (border) {
      table.rows.push_back({true, cells});
      lines.clear();
    } else {
      lines.resize(cells.size());
      for (size_t i = 0; i < cells.size(); ++i) lines[i].push_back(cells[i]);
    }
    at = end + 1 + prefix.size();
  }
  return table;
}

std::vector<std::string_view> lines_in(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

/// Draws a table whose cells have got other contents.
class GridPainter {
 public:
  explicit GridPainter(const GridTable& table) : table_(table) {
    for (const GridRow& row : table.rows) {
      widths_.resize(std::max(widths_.size(), row.cells.size()));
      for (size_t i = 0; i < row.cells.size(); ++i) {
        for (const std::string_view line : lines_in(row.cells[i])) {
          widths_[i] = std::max(widths_[i], width_of(line) + (row.border ? 0 : 2));
        }
      }
    }
  }

  /// Bytes of the drawing, or a little more.
  size_t size() const {
    size_t width = table_.prefix.size() + 2, height = 0;
    for (const size_t column : widths_) width += column + 1;
    for (const GridRow& row : table_.rows) {
      int64_t lines = 1;
      for (const std::string& cell : row.cells) lines = std::max(lines, 1 + std::ranges::count(cell, '\n'));
      height += static_cast<size_t>(lines);
    }
    return width * height;
  }

  std::string draw() {
    for (const GridRow& row : table_.rows) row.border ? draw_border(row) : draw_row(row);
    return drawn_;
  }

 private:
  void begin_line() { drawn_ += drawn_.empty() ? "" : "\n" + table_.prefix; }
  void draw_border(const GridRow& row) {
    begin_line();
    for (size_t i = 0; i < row.cells.size(); ++i) {
      std::string signs = row.cells[i];
      signs.insert(signs.find_first_of("-="), widths_[i] - signs.size(), signs[signs.find_first_of("-=")]);
      drawn_ += "+" + signs;
    }
    drawn_ += "+";
  }
  void draw_row(const GridRow& row) {
    std::vector<std::vector<std::string_view>> lines;
    size_t height = 0;
    for (const std::string& cell : row.cells) height = std::max(height, lines.emplace_back(lines_in(cell)).size());
    for (size_t line = 0; line < height; ++line) {
      begin_line();
      for (size_t i = 0; i < lines.size(); ++i) {
        const std::string_view text = line < lines[i].size() ? lines[i][line] : std::string_view();
        drawn_ += "| " + std::string(text) + std::string(widths_[i] - 1 - width_of(text), ' ');
      }
      drawn_ += "|";
    }
  }

  const GridTable& table_;
  std::vector<size_t> widths_;  // of the columns
  std::string drawn_;
};

/// The tables of a document, apart from those in blocks of HTML and of code.
std::vector<GridTable> grid_tables(const std::string& document) {
  std::vector<GridTable> tables;
  if (document.find("+-") == std::string::npos && document.find("+:") == std::string::npos) return tables;
  const MarkdownReading reading = read_markdown(document);
  Fences fences;
  auto event = reading.events.begin();
  for (size_t at = 0; at < document.size();) {
    const size_t end = std::min(document.find('\n', at), document.size());
    const std::string_view line = std::string_view(document).substr(at, end - at), text = without_container(line);
    const size_t begin = end - text.size();
    const size_t last = fences.take(text) ? kNoTable : end_of_grid_table(document, at, begin);
    const auto reaches = [&](const MarkdownEvent& one) { return one.has_place() && one.range.end > begin; };
    event = last == kNoTable ? event : std::find_if(event, reading.events.end(), reaches);
    if (last != kNoTable && (event == reading.events.end() || event->range.begin >= last)) {
      GridTable table = read_table(document, {begin, last}, std::string_view(document).substr(at, begin - at));
      if (!table.rows.empty()) tables.push_back(std::move(table));
    }
    at = (last == kNoTable ? end : last) + 1;
  }
  return tables;
}

/// A cell is as wide as its longest line, and so is its column. Throws MarkupError if that multiplies the document.
void check_size(size_t drawn, std::string_view document, size_t begin) {
  constexpr size_t kFree = size_t{1} << 20, kMostTimes = 16;
  if (drawn <= kFree + kMostTimes * document.size()) return;
  fail<MarkupError>("line ", 1 + std::ranges::count(document.substr(0, begin), '\n'),
                    ": a table has rows far longer than the document; divide it");
}

/// Puts contents into the cells of the tables of a document, which are in the same order.
std::string with_cells(const std::string& document, const std::vector<Cells>& contents) {
  std::string written;
  size_t done = 0;
  std::vector<GridTable> tables = grid_tables(document);
  if (tables.size() != contents.size()) return document;
  for (size_t i = 0; i < tables.size(); ++i) {
    auto content = contents[i].begin();
    bool changed = false;
    for (GridRow& row : tables[i].rows) {
      for (std::string& cell : row.cells) {
        if (row.border || content == contents[i].end()) continue;
        const bool same = without_white_space(cell) == without_white_space(*content);
        if (!same) cell = *content;
        changed = changed || !same;
        ++content;
      }
    }
    if (!changed) continue;
    GridPainter painter(tables[i]);
    check_size(painter.size(), document, tables[i].range.begin);
    written.append(document, done, tables[i].range.begin - done) += painter.draw();
    done = tables[i].range.end;
  }
  return written.append(document, done);
}

/// The cells of all tables, and how their blocks become their contents again.
class CellTexts {
 public:
  /// Moves the blocks of a cell to those of the document.
  void add(const std::string& content, int64_t line, std::vector<Block>& blocks) {
    MarkedDocument cell = parse_markdown_blocks(content);
    GridCell& added = tables_.back().emplace_back(GridCell{content});
    added.after = std::move(cell.after);
    for (Block& block : cell.blocks) {
      added.before.push_back(std::exchange(block.before, ""));
      block.line = line;
      blocks.push_back(std::move(block));
    }
  }
  void begin_table() { tables_.emplace_back(); }

  std::vector<Cells> contents(const std::vector<std::string>& translations) const {
    std::vector<Cells> contents;
    size_t next = 0;
    for (const std::vector<GridCell>& table : tables_) {
      Cells& cells = contents.emplace_back();
      for (const GridCell& cell : table) {
        std::string content;
        for (const std::string& before : cell.before) content += before + translations[next++];
        cells.push_back(content + cell.after);
      }
    }
    return contents;
  }

 private:
  std::vector<std::vector<GridCell>> tables_;
};

}  // namespace

size_t end_of_grid_table(std::string_view document, size_t before, size_t text) {
  const std::string_view prefix = document.substr(before, text - before);
  const auto line_at = [&](size_t at) {
    return document.substr(at, std::min(document.find('\n', at), document.size()) - at);
  };
  if (!is_border(line_at(text)) || prefix.find_first_not_of(" \t>") != kNoTable) return kNoTable;
  size_t last = kNoTable;
  for (size_t end = text + line_at(text).size(); end < document.size();) {
    const std::string_view next = line_at(end + 1);
    if (!next.starts_with(prefix)) break;
    const std::string_view row = next.substr(prefix.size());
    if (!row.starts_with('|') && !row.starts_with('+')) break;
    end += 1 + next.size();
    if (is_border(row)) last = end;
  }
  return last;
}

void add_grid_tables(const std::string& document, MarkedDocument& parsed) {
  const std::vector<GridTable> tables = grid_tables(document);
  const auto texts = std::make_shared<CellTexts>();
  const size_t before = parsed.blocks.size();
  int64_t line = 1;
  size_t done = 0;
  for (const GridTable& table : tables) {
    texts->begin_table();
    line += std::count(document.begin() + static_cast<int64_t>(done),
                       document.begin() + static_cast<int64_t>(table.range.begin), '\n');
    done = table.range.begin;
    for (const GridRow& row : table.rows) {
      for (const std::string& cell : row.border ? Cells() : row.cells) texts->add(cell, line, parsed.blocks);
    }
  }
  if (parsed.blocks.size() == before) return;
  parsed.beside.push_back(
      {parsed.blocks.size() - before, [texts](const std::string& written, const auto& translations) {
         return with_cells(written, texts->contents(translations));
       }});
}

}  // namespace ventris::markup
