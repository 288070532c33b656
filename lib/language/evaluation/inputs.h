#pragma once
#include <string>
#include <vector>

#include "evaluation/evaluation.h"
#include "metrics/segments.h"

namespace ventris::evaluation {

/// The name of a path in messages: "standard input" for "-".
std::string name_of(const std::string& path);

/// What happens to a byte-order mark at the beginning of a file.
enum class ByteOrderMark {
  kKept,    ///< it is a part of the first word, as for sacreBLEU, and there is a warning
  kDropped  ///< for files without words, such as those of alignments
};

/// Reads the lines of a file (plain or gzipped) or of standard input ("-") as sacreBLEU does: without trailing white
/// space; only LF ends a line. Invalid UTF-8 becomes U+FFFD. Logs warnings for invalid UTF-8 and a byte-order mark.
/// Throws DataError if the file cannot be read or has no lines.
std::vector<std::string> read_lines(const std::string& path, ByteOrderMark mark = ByteOrderMark::kKept);

struct Corpus {
  std::vector<System> systems;
  metrics::References references;
};

/// Throws ConfigError if two inputs are standard input or two systems have the same name, and DataError as read_lines()
/// does or if the files have different numbers of lines.
Corpus read_corpus(const std::vector<std::string>& system_paths, const std::vector<std::string>& reference_paths,
                   ByteOrderMark mark = ByteOrderMark::kKept);

}  // namespace ventris::evaluation
