#pragma once
#include <string>
#include <string_view>

/// One log for people, on stderr; stdout is for results. Callers format with fmt::format.
namespace ventris::core {

void log_debug(std::string_view text);
void log_info(std::string_view text);
void log_warning(std::string_view text);
void log_error(std::string_view text);

/// `level` is one of debug, info, warning, error, off. Throws ConfigError for anything else.
void set_log_level(const std::string& level);

/// Also appends every line to this file (a training run's train.log). Throws WriteError if it cannot be opened.
void add_log_file(const std::string& path);

/// Text that replaces the current line on a terminal (a progress line); nothing where stderr is not a terminal.
/// The next log line starts on a line of its own.
void show_progress(std::string_view text);

/// Whether stderr is a terminal.
bool stderr_is_terminal();

}  // namespace ventris::core
