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

/// Whether words on stderr are coloured. kAuto: on a terminal, unless NO_COLOR is set to anything but nothing or TERM
/// is "dumb".
enum class Coloring { kAuto, kAlways, kNever };
void set_coloring(Coloring coloring);

/// `text` in the colour of errors, or as it is where nothing is coloured.
std::string as_error(std::string_view text);

/// Text that replaces the current line on a terminal (a progress line), cut to its width; empty = erase it. Nothing
/// where shows_progress() says no. The next log line starts on a line of its own.
void show_progress(std::string_view text);

/// Whether stderr is a terminal that can erase a line (TERM is not "dumb"), and the log's level is not above info.
bool shows_progress();

/// Whether stdout is a terminal, where a progress line would stand between the results.
bool stdout_is_terminal();

}  // namespace ventris::core
