#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "core/human.h"
#include "text/line_reader.h"

namespace ventris::filters {

/// What text a run has lost, for the setting `strict`.
class Losses {
 public:
  /// `what` was lost: "lines over 1 MiB"; `line` counts from 1.
  void add(const std::string& what, int64_t line) { lines_[what].add(line); }

  void add(const std::string& what, const core::FirstLines& lines) { lines_[what] = lines; }

  /// Adds the line that was read last if the reader has cut it. To be called after each line.
  void add_cut(const text::LineReader& reader);

  /// Throws DataError, which names the losses and the first lines of each, if there are any. The output must be
  /// complete.
  void fail_if_any() const;

 private:
  std::map<std::string, core::FirstLines> lines_;
  std::map<std::string, int64_t> cut_;  // the lines of each file that its reader has cut so far
};

}  // namespace ventris::filters
