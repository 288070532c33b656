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

/// "; 4 lines are finished, in out.partial", or without a file "; 1 line is finished": the end of a message.
std::string text_of(const Finished& finished, const std::string& file);

/// Keeps what a stopped program has written to `output`, which was opened as `path`, under another name
/// (files::OutputFile::keep_partial), so that `path` is never a partial output. Returns the exception to throw, which
/// says how much was written and where. Throws WriteError.
Interrupted keep_finished(files::OutputFile& output, const std::string& path, const Finished& finished, int signal);

/// What an error has left of an output.
struct Kept {
  std::string name;  ///< the file; empty = nothing is kept, or it is already out (standard output, a device)
  std::string text;  ///< the end of the message (text_of); empty = nothing is finished
};

/// To be called where any other exception is handled: keeps what was written before, in the same way. After an error of
/// writing, its last line may not be whole, and only those before it count. Throws nothing.
Kept keep_finished_after_error(files::OutputFile& output, const std::string& path, const Finished& finished);

/// The same; then throws the exception that is being handled, with that end of its message.
[[noreturn]] void fail_with_finished(files::OutputFile& output, const std::string& path, const Finished& finished);

}  // namespace ventris::filters
