#pragma once
#include <string>
#include <vector>

#include "metrics/evaluation.h"
#include "metrics/segments.h"

namespace ventris::metrics {

/// A path as messages name it: "-" is standard input.
std::string name_of(const std::string& path);

/// The lines of a file (gzipped if its name ends in ".gz") or of standard input ("-"), without white space at their
/// ends, as sacreBLEU reads them: only LF ends a line, a byte-order mark stays. Invalid UTF-8 becomes U+FFFD; that and
/// a byte-order mark are told in the log. Throws DataError if the file cannot be read or has no line.
std::vector<std::string> read_lines(const std::string& path);

struct Corpus {
  std::vector<System> systems;
  References references;
};

/// Throws ConfigError if two inputs are standard input or two systems have one name, DataError as read_lines() does and
/// if the files differ in their numbers of lines.
Corpus read_corpus(const std::vector<std::string>& system_paths, const std::vector<std::string>& reference_paths);

}  // namespace ventris::metrics
