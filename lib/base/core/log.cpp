#include "core/log.h"

#include <fcntl.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/printable.h"
#include "core/suggest.h"
#include "core/terminal.h"

namespace ventris::core {
namespace {

using Level = std::pair<std::string_view, spdlog::level::level_enum>;

/// The names that --log-level accepts. (spdlog's list has more, and two names for some levels.)
constexpr std::array<Level, 5> kLevels{{{"debug", spdlog::level::debug},
                                        {"info", spdlog::level::info},
                                        {"warning", spdlog::level::warn},
                                        {"error", spdlog::level::err},
                                        {"off", spdlog::level::off}}};

constexpr const char* kRed = "\033[31m";
constexpr const char* kPlain = "\033[m";

std::mutex terminal_mutex;  // a progress line and a log line are never mixed
size_t progress_width = 0;  // characters of the progress line; 0 = none is shown

using TerminalSink = spdlog::sinks::stderr_color_sink_mt;

bool is_dumb_terminal() {
  const char* term = std::getenv("TERM");
  return term == nullptr || *term == '\0' || std::string_view(term) == "dumb";
}

bool stderr_is_terminal() {
  static const bool answer = isatty(STDERR_FILENO) == 1;
  return answer;
}

bool colors_by_default() {
  const char* no_color = std::getenv("NO_COLOR");
  return stderr_is_terminal() && !is_dumb_terminal() && (no_color == nullptr || *no_color == '\0');
}

struct Log {
  std::shared_ptr<TerminalSink> terminal = std::make_shared<TerminalSink>(spdlog::color_mode::always);
  spdlog::logger logger{"ventris", terminal};
  bool colored = false;

  Log() {
    color(colors_by_default());
    logger.set_level(spdlog::level::trace);  // each sink has a level of its own
    terminal->set_level(spdlog::level::info);
    logger.set_pattern("[%Y-%m-%d %H:%M:%S] %^%l%$ %v");
    logger.flush_on(spdlog::level::trace);
    logger.set_error_handler([](const std::string&) {});  // a full disk under the log must not end the work
  }

  void color(bool on) {
    colored = on;
    terminal->set_color_mode(on ? spdlog::color_mode::always : spdlog::color_mode::never);
  }
};

Log& the_log() {
  static Log log;
  return log;
}

spdlog::logger& logger() { return the_log().logger; }

/// The codes that erase the progress line, which is no longer shown then.
std::string erase_progress() {
  static const bool rewraps = rewraps_lines();
  return erase_codes(std::exchange(progress_width, 0), terminal_columns(), rewraps);
}

void write(spdlog::level::level_enum level, std::string_view text) {
  const std::lock_guard lock(terminal_mutex);
  if (progress_width > 0) std::fputs(erase_progress().c_str(), stderr);
  logger().log(level, "{}", printable(text));
}

/// The part of the text that fits on a line with the cursor after it, assuming one column per character.
std::string_view cut_to_width(std::string_view text) {
  size_t columns = terminal_columns() - 1, bytes = 0;
  for (; bytes < text.size(); ++bytes) {
    const bool begins_character = (static_cast<unsigned char>(text[bytes]) & 0xC0) != 0x80;
    if (begins_character && columns-- == 0) break;
  }
  return text.substr(0, bytes);
}

}  // namespace

void log_debug(std::string_view text) { write(spdlog::level::debug, text); }
void log_info(std::string_view text) { write(spdlog::level::info, text); }
void log_warning(std::string_view text) { write(spdlog::level::warn, text); }
void log_error(std::string_view text) { write(spdlog::level::err, text); }

void set_log_level(const std::string& level) {
  for (const auto& [name, value] : kLevels) {
    if (name == level) return the_log().terminal->set_level(value);
  }
  std::vector<std::string> names;
  for (const auto& [name, value] : kLevels) names.emplace_back(name);
  fail<ConfigError>("--log-level: expected debug, info, warning, error or off, got '", level, "'",
                    did_you_mean(level, names));
}

struct LogFile::File {
  std::shared_ptr<spdlog::sinks::basic_file_sink_mt> sink;

  /// Writes a line to no other sink.
  void write(spdlog::level::level_enum level, std::string_view text) const {
    const std::string line = printable(text);
    sink->log(spdlog::details::log_msg("ventris", level, line));
    sink->flush();
  }
};

LogFile::LogFile(const std::string& path) {
  try {
    auto sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(path);
    sink->set_pattern("[%Y-%m-%d %H:%M:%S] %l %v");
    sink->set_level(std::min(the_log().terminal->level(), spdlog::level::info));
    logger().sinks().push_back(sink);
    file_ = std::make_shared<const File>(File{std::move(sink)});
  } catch (const spdlog::spdlog_ex& error) {
    fail<WriteError>(path, ": cannot open the log file: ", error.what());
  }
}

LogFile::~LogFile() {
  std::erase_if(logger().sinks(), [this](const spdlog::sink_ptr& sink) { return sink == file_->sink; });
}

void LogFile::note(std::string_view text) const { file_->write(spdlog::level::info, text); }
void LogFile::note_error(std::string_view text) const { file_->write(spdlog::level::err, text); }

void set_coloring(Coloring coloring) {
  the_log().color(coloring == Coloring::kAlways || (coloring == Coloring::kAuto && colors_by_default()));
}

std::string as_error(std::string_view text) {
  return the_log().colored ? kRed + std::string(text) + kPlain : std::string(text);
}

void show_progress(std::string_view text) {
  if (!shows_progress()) return;
  const std::lock_guard lock(terminal_mutex);
  if (text.empty() && progress_width == 0) return;
  const std::string line = printable(text);
  const std::string_view shown = cut_to_width(line);
  std::fprintf(stderr, "%s%.*s", erase_progress().c_str(), static_cast<int>(shown.size()), shown.data());
  std::fflush(stderr);
  progress_width = characters(shown);
}

bool shows_progress() {
  return stderr_is_terminal() && !is_dumb_terminal() && the_log().terminal->should_log(spdlog::level::info);
}

bool stdout_is_terminal() { return isatty(STDOUT_FILENO) == 1; }

}  // namespace ventris::core
