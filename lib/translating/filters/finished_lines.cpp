#include "filters/finished_lines.h"

#include <fmt/format.h>

#include "core/human.h"
#include "core/rethrow.h"

namespace ventris::filters {
namespace {

Kept leave_finished(files::OutputFile& output) {
  const std::string name = output.leave_partial();
  return {name, name.empty() ? "" : "; what was finished is in " + name};
}

}  // namespace

std::string text_of(const Finished& finished, const std::string& file) {
  return fmt::format("; {} {} {} finished{}", finished.count, core::plural(finished.count, finished.what),
                     finished.count == 1 ? "is" : "are", file.empty() ? "" : ", in " + file);
}

Interrupted keep_finished(files::OutputFile& output, const std::string& path, const Finished& finished, int signal) {
  const std::string kept = output.keep_partial();
  const std::string after = "stopped by a signal after " + finished.what + " " + std::to_string(finished.count);
  if (kept.empty()) return {signal, path == "-" ? after : path + ": " + after};
  return {signal, path + ": not written: " + after + "; what was finished is in " + kept};
}

Kept keep_finished_after_error(files::OutputFile& output, const std::string& path, const Finished& finished) {
  if (output.empty() || finished.count == 0) return {};
  if (core::handles<WriteError>()) return leave_finished(output);
  try {
    const std::string name = output.keep_partial();
    if (name.empty() && path != "-") return {};
    return {name, text_of(finished, name)};
  } catch (const WriteError&) {
    return leave_finished(output);
  }
}

void fail_with_finished(files::OutputFile& output, const std::string& path, const Finished& finished) {
  const Kept kept = keep_finished_after_error(output, path, finished);
  if (kept.text.empty()) throw;
  core::rethrow_with(kept.text);
}

}  // namespace ventris::filters
