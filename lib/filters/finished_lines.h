#pragma once
#include <cstdint>
#include <string>

#include "core/error.h"
#include "files/files.h"

namespace ventris::filters {

/// How much was written, and of what.
struct Finished {
  std::string what;  ///< "line"
  int64_t count = 0;
};

/// Keeps what a stopped program has written to `output`, which was opened as `path`, under another name
/// (files::OutputFile::keep_partial), so that `path` is never a partial output. Returns the exception to throw, which
/// says how much was written and where. Throws WriteError.
Interrupted keep_finished(files::OutputFile& output, const std::string& path, const Finished& finished, int signal);

}  // namespace ventris::filters
