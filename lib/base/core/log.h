#pragma once
#include <memory>
#include <string>
#include <string_view>

/// The log, on stderr; stdout is for results. Callers format with fmt::format.
namespace ventris::core {

void log_debug(std::string_view text);
void log_info(std::string_view text);
void log_warning(std::string_view text);
void log_error(std::string_view text);

/// `level` of stderr is one of debug, info, warning, error, off. Throws ConfigError for anything else.
void set_log_level(const std::string& level);

/// While it lives, every line of the log is also appended to a file (train.log of a run), from the level info on, or
/// from debug on if stderr has this level. `--quiet` thus leaves a whole file.
class LogFile {
 public:
  /// Throws WriteError if the file cannot be opened.
  explicit LogFile(const std::string& path);
  ~LogFile();
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  /// A line for the file alone: why the program ends, which it prints on stderr itself.
  void note(std::string_view text) const;
  void note_error(std::string_view text) const;

 private:
  struct File;
  std::shared_ptr<const File> file_;
};

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
