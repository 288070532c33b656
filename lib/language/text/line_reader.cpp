#include "text/line_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/error.h"
#include "text/byte_source.h"
#include "text/valid_utf8.h"

namespace ventris::text {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr size_t kShown = 40;  // bytes of a column in a message

}  // namespace

/// `line` grows until the line is `complete`. Bytes beyond the maximum length are only counted.
struct LineReader::Source {
  std::string path;
  LineReaderOptions options;
  std::unique_ptr<ByteSource> bytes;
  LineCounts counts;
  std::string_view block;  // the rest of the newest block
  std::string line;
  size_t length = 0;  // of the line, including bytes that were not kept
  char last = '\0';
  bool complete = false;
  bool ended = false;
  bool first_block = true;

  void keep(std::string_view part) {
    if (part.empty()) return;
    // One byte more than max_bytes shows whether the cut is inside a character. A byte-order mark is kept in addition.
    const size_t room = options.max_bytes + kByteOrderMark.size() + 1;
    if (line.size() < room) line.append(part.substr(0, room - line.size()));
    length += part.size();
    last = part.back();
  }

  /// Moves bytes from the block to the line, up to the line's end.
  void advance() {
    const auto* found =
        static_cast<const char*>(block.empty() ? nullptr : std::memchr(block.data(), '\n', block.size()));
    const size_t count = found != nullptr ? static_cast<size_t>(found - block.data()) : block.size();
    keep(block.substr(0, count));
    block.remove_prefix(found != nullptr ? count + 1 : count);
    complete = found != nullptr;
  }

  void fill() {
    block = bytes->next_block();
    ended = block.empty();
    if (std::exchange(first_block, false)) check_kind(block, path);
    advance();
  }

  void drop_mark() {
    if (counts.lines > 0 || !line.starts_with(kByteOrderMark)) return;
    line.erase(0, kByteOrderMark.size());
    length -= kByteOrderMark.size();
  }

  void drop_carriage_return() {
    if (!complete || length == 0 || last != '\r') return;
    --length;
    ++counts.carriage_returns;
    if (line.size() > length) line.pop_back();
  }

  /// Cuts the line if it is too long, and returns whether it was.
  bool cut() {
    if (length <= options.max_bytes) return false;
    line.resize(cut_utf8(line, options.max_bytes).size());
    return true;
  }

  void repair() {
    if (is_valid_utf8(line)) return;
    if (options.strict) {
      fail<DataError>(path, ":", counts.lines,
                      ": not valid UTF-8; convert the file to UTF-8 first (for example with iconv)");
    }
    if (counts.invalid_utf8++ == 0) counts.first_invalid_utf8 = counts.lines;
    line = replace_invalid_utf8(line);
  }

  bool finish(std::string& result) {
    const auto bytes_of_line = static_cast<int64_t>(length) + (complete ? 1 : 0);
    drop_mark();
    if (!complete && length == 0) return false;
    ++counts.lines;
    counts.bytes += bytes_of_line;
    drop_carriage_return();
    const bool was_cut = cut();
    repair();
    length = line.size();  // a replacement character may be longer than the bytes that it replaces
    if ((cut() || was_cut) && counts.too_long++ == 0) counts.first_too_long = counts.lines;
    result.swap(line);
    line.clear();
    length = 0;
    complete = false;
    return true;
  }
};

LineReader::LineReader(const std::string& path, const LineReaderOptions& options)
    : LineReader(path, open_bytes(path), options) {}

LineReader::LineReader(const std::string& path, std::unique_ptr<ByteSource> bytes, const LineReaderOptions& options,
                       int64_t lines_before)
    : source_(std::make_unique<Source>()) {
  source_->path = path == "-" ? "standard input" : path;
  source_->options = options;
  source_->bytes = std::move(bytes);
  source_->counts.before = source_->counts.lines = lines_before;
}

LineReader::~LineReader() = default;
LineReader::LineReader(LineReader&&) noexcept = default;
LineReader& LineReader::operator=(LineReader&&) noexcept = default;

bool LineReader::next(std::string& line) {
  Source& source = *source_;
  if (!source.complete && !source.ended) source.advance();
  while (!source.complete && !source.ended) source.fill();
  return source.finish(line);
}

bool LineReader::ready() {
  Source& source = *source_;
  if (!source.complete && !source.ended) source.advance();
  while (!source.complete && !source.ended) {
    if (!source.bytes->ready()) return false;
    source.fill();
  }
  return true;
}

const LineCounts& LineReader::counts() const { return source_->counts; }
const std::string& LineReader::path() const { return source_->path; }

std::string LineReader::limit() const {
  const size_t bytes = source_->options.max_bytes;
  return bytes < 1 << 20 ? std::to_string(bytes) + " bytes" : std::to_string(bytes >> 20) + " MiB";
}

FileSize measure_lines(const std::string& path) {
  const auto bytes = open_bytes(path);
  FileSize size;
  std::string start;  // of the last line, enough to recognise a byte-order mark
  bool first = true;
  for (std::string_view block = bytes->next_block(); !block.empty(); block = bytes->next_block()) {
    const auto ends = std::count(block.begin(), block.end(), '\n');
    size.lines += ends;
    size.bytes += static_cast<int64_t>(block.size());
    if (ends > 0) {
      first = false;
      start.clear();
      block.remove_prefix(block.rfind('\n') + 1);
    }
    if (start.size() <= kByteOrderMark.size()) start.append(block.substr(0, kByteOrderMark.size() + 1));
  }
  size.lines += start.empty() || (first && start == kByteOrderMark) ? 0 : 1;
  return size;
}

int64_t count_lines(const std::string& path) { return measure_lines(path).lines; }

std::vector<std::string_view> find_columns(std::string_view line) {
  std::vector<std::string_view> columns;
  for (;;) {
    const size_t tab = line.find('\t');
    columns.push_back(line.substr(0, tab));
    if (tab == std::string_view::npos) return columns;
    line.remove_prefix(tab + 1);
  }
}

std::vector<std::string> split_columns(const std::string& line, size_t columns, const std::string& path,
                                       int64_t line_number) {
  const auto found = find_columns(line);
  if (found.size() > columns) {
    fail<DataError>(path, ":", line_number, ": expected ", columns, " columns separated by TABs, found ", found.size(),
                    "; column ", columns + 1, " begins with '", cut_utf8(found[columns], kShown),
                    "'; keep the columns of the texts, for example with: cut -f 1,2");
  }
  if (found.size() < columns) {
    fail<DataError>(path, ":", line_number, ": expected ", columns, " columns separated by TABs, found ", found.size());
  }
  return {found.begin(), found.end()};
}

std::vector<std::string> split_pair(const std::string& line, const std::string& path, int64_t line_number) {
  if (is_blank(line)) return {"", ""};
  return split_columns(line, 2, path, line_number);
}

}  // namespace ventris::text
