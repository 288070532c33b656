#pragma once
#include <cstdint>
#include <string>

#include "core/error.h"
#include "core/files.h"

namespace ventris::filters {

/// How many of what are written.
struct Finished {
  std::string what;  ///< "line"
  int64_t count = 0;
};

/// Keeps what a stopped program had written to `output`, which was opened as `path`: under a name of its own beside it
/// (core::OutputFile::keep_partial), so that `path` never holds a part that looks like the whole. Returns what is to be
/// thrown: how much there is and where. Throws WriteError.
Interrupted keep_finished(core::OutputFile& output, const std::string& path, const Finished& finished, int signal);

}  // namespace ventris::filters
