#pragma once
#include <string>
#include <string_view>

/// The log, on stderr; stdout is for results. Callers format with fmt::format.
namespace ventris::core {

void log_debug(std::string_view text);
void log_info(std::string_view text);
void log_warning(std::string_view text);
void log_error(std::string_view text);

/// `level` is one of debug, info, warning, error, off. Throws ConfigError for anything else.
void set_log_level(const std::string& level);

/// From now on, also appends every line to this file (train.log of a run). Throws WriteError if it cannot be opened.
void add_log_file(const std::string& path);

/// Whether stderr is coloured. kAuto: only on a terminal, and not if NO_COLOR is set and not empty, or TERM is
/// "dumb".
enum class Coloring { kAuto, kAlways, kNever };
void set_coloring(Coloring coloring);

/// `text` in the colour of errors, or unchanged if stderr is not coloured.
std::string as_error(std::string_view text);

/// Replaces the current line of the terminal by `text` (a progress line), cut to the terminal's width; empty erases the
/// line. Does nothing if shows_progress() is false. The next log line starts on a new line.
void show_progress(std::string_view text);

/// Whether stderr is a terminal that can erase a line (TERM is not "dumb"), and the log level is info or debug.
bool shows_progress();

/// Whether stdout is a terminal. There, a progress line would appear between the results.
bool stdout_is_terminal();

}  // namespace ventris::core
