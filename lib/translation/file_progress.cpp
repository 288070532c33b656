#include "translation/file_progress.h"

#include <filesystem>

#include "core/log.h"
#include "text/line_reader.h"

namespace ventris::translation {

std::unique_ptr<core::Progress> file_progress(const std::string& task, const std::string& input,
                                              const std::string& output) {
  std::error_code ignored;
  const bool is_file = std::filesystem::is_regular_file(input, ignored);
  if (!core::shows_progress() || !is_file || (output == "-" && core::stdout_is_terminal())) return nullptr;
  return std::make_unique<core::Progress>(task, "lines", static_cast<double>(text::count_lines(input)));
}

}  // namespace ventris::translation
