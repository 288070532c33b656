#include "filters/finished_lines.h"

#include <fmt/format.h>

#include "core/human.h"
#include "core/rethrow.h"
#include "files/partial.h"

namespace ventris::filters {
namespace {

/// Of a file whose end may be missing.
int64_t whole_lines(const std::string& path) {
  int64_t lines = 0;
  try {
    files::for_each_whole_line(path, [&](std::string_view) { ++lines; });
  } catch (const DataError&) {  // what was read counts
  }
  return lines;
}

/// After an error of writing: the output has a line for each of `what`.
Kept leave_finished(files::OutputFile& output, const std::string& what) {
  const std::string name = output.leave_partial();
  return {name, name.empty() ? "" : text_of({what, whole_lines(name)}, name)};
}

}  // namespace

std::string text_of(const Finished& finished, const std::string& file) {
  return fmt::format("; {} {} {} finished{}", finished.count, core::plural(finished.count, finished.what),
                     finished.count == 1 ? "is" : "are", file.empty() ? "" : ", in " + file);
}

Interrupted keep_finished(files::OutputFile& output, const std::string& path, const Finished& finished, int signal) {
  const std::string kept = output.keep_partial();
  const std::string after = finished.count == 0
                                ? "stopped by a signal before anything was finished"
                                : fmt::format("stopped by a signal after {} {}", finished.what, finished.count);
  if (kept.empty()) return {signal, path == "-" ? after : path + ": " + after};
  return {signal, path + ": not written: " + after + "; what was finished is in " + kept};
}

Kept keep_finished_after_error(files::OutputFile& output, const std::string& path, const Finished& finished) {
  if (output.empty() || finished.count == 0) return {};
  if (core::handles<WriteError>()) return leave_finished(output, finished.what);
  try {
    const std::string name = output.keep_partial();
    if (name.empty() && path != "-") return {};
    return {name, text_of(finished, name)};
  } catch (const WriteError&) {
    return leave_finished(output, finished.what);
  }
}

void fail_with_finished(files::OutputFile& output, const std::string& path, const Finished& finished) {
  const Kept kept = keep_finished_after_error(output, path, finished);
  if (kept.text.empty()) throw;
  core::rethrow_with(kept.text);
}

}  // namespace ventris::filters
