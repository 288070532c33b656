#include "fuzz/targets.h"
#include "support/gzip.h"
#include "text/byte_source.h"
#include "text/line_reader.h"
#include "text/valid_utf8.h"

/// Text and gzip files, line by line.
namespace ventris::fuzz {
namespace {

void read_lines(std::string_view input) {
  const std::string path = file_with(input);
  text::LineReader reader(path, {.max_bytes = 64});
  int64_t lines = 0;
  for (std::string line; reader.next(line); ++lines) {
    require(line.size() <= 64 && text::is_valid_utf8(line), "a line is UTF-8 and not too long");
    require(line.find('\n') == std::string::npos, "a line has no line feed");
  }
  require(reader.counts().lines == lines && text::count_lines(path) == lines, "lines are counted");
  int64_t raw = 0;
  text::for_each_raw_line(path, [&](const std::string&) { ++raw; });
  const bool only_mark = lines == 0 && raw == 1;  // a byte-order mark, which is no line but bytes
  require(raw == lines || only_mark, "a reader of bytes finds the same lines");
}

std::vector<std::string> lines_seeds() {
  return {test::gzipped("one\ntwo\r\n"), test::gzipped("") + test::gzipped("three"),
          test::gzipped(std::string(300, 'a'))};
}

const Registration kLines("lines", read_lines, lines_seeds);

}  // namespace
}  // namespace ventris::fuzz
