#include "evaluation/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/error.h"
#include "core/human.h"
#include "core/log.h"
#include "metrics/unicode.h"
#include "text/byte_source.h"
#include "text/line_sequence.h"
#include "text/valid_utf8.h"

namespace ventris::evaluation {

using metrics::strip_right;

namespace {

void check_paths(const std::vector<std::string>& system_paths, const std::vector<std::string>& reference_paths) {
  const auto from_stdin = std::count(reference_paths.begin(), reference_paths.end(), "-") +
                          std::count(system_paths.begin(), system_paths.end(), "-");
  if (from_stdin > 1) {
    fail<ConfigError>("standard input can be only one of the inputs; give files for the others (hypotheses: --input)");
  }
  std::set<std::string> names;
  for (const std::string& path : system_paths) {
    if (!names.insert(path).second) {
      fail<ConfigError>("--input: ", path, " is given twice; expected one file per system");
    }
  }
}

}  // namespace

std::string name_of(const std::string& path) { return path == "-" ? "standard input" : path; }

std::vector<std::string> read_lines(const std::string& path, ByteOrderMark mark) {
  std::vector<std::string> lines;
  size_t invalid = 0, first_invalid = 0;
  text::for_each_raw_line(path, [&](const std::string& line) {
    const bool valid = text::is_valid_utf8(line);
    lines.emplace_back(strip_right(valid ? line : text::replace_invalid_utf8(line)));
    if (!valid && invalid++ == 0) first_invalid = lines.size();
  });
  if (lines.empty()) fail<DataError>(name_of(path), ": is empty; expected one sentence per line");
  if (invalid > 0) {
    const text::LineCounts counts{.lines = static_cast<int64_t>(lines.size()),
                                  .invalid_utf8 = static_cast<int64_t>(invalid),
                                  .first_invalid_utf8 = static_cast<int64_t>(first_invalid)};
    core::log_warning(text::about_invalid_utf8(name_of(path), counts));
  }
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (lines[0].starts_with(kMark) && mark == ByteOrderMark::kDropped) {
    lines[0].erase(0, kMark.size());
  } else if (lines[0].starts_with(kMark)) {
    core::log_warning(name_of(path) + ": starts with a byte-order mark, which counts as part of its first word");
  }
  return lines;
}

Corpus read_corpus(const std::vector<std::string>& system_paths, const std::vector<std::string>& reference_paths,
                   ByteOrderMark mark) {
  check_paths(system_paths, reference_paths);
  Corpus corpus;
  for (const std::string& path : reference_paths) corpus.references.push_back(read_lines(path, mark));
  for (const std::string& path : system_paths) {
    corpus.systems.push_back({name_of(path), read_lines(path, mark)});
    const size_t found = corpus.systems.back().lines.size();
    for (size_t r = 0; r < reference_paths.size(); ++r) {
      const size_t expected = corpus.references[r].size();
      if (expected == found) continue;
      fail<DataError>(name_of(path), ": has ", found, " ", core::plural(static_cast<int64_t>(found), "line"), ", but ",
                      name_of(reference_paths[r]), " has ", expected, "; expected the same number of lines");
    }
  }
  return corpus;
}

}  // namespace ventris::evaluation
