#include "filters/finished_lines.h"

namespace ventris::filters {

Interrupted keep_finished(files::OutputFile& output, const std::string& path, const Finished& finished, int signal) {
  const std::string kept = output.keep_partial();
  const std::string after = "stopped by a signal after " + finished.what + " " + std::to_string(finished.count);
  if (kept.empty()) return {signal, path == "-" ? after : path + ": " + after};
  return {signal, path + ": not written: " + after + "; what was finished is in " + kept};
}

}  // namespace ventris::filters
