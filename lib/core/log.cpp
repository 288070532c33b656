#include "core/log.h"

#include <fcntl.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <utility>

#include "core/error.h"

namespace ventris::core {
namespace {

using Level = std::pair<std::string_view, spdlog::level::level_enum>;

/// The names people may give: spdlog's own list has more, and takes two for some levels.
constexpr std::array<Level, 5> kLevels{{{"debug", spdlog::level::debug},
                                        {"info", spdlog::level::info},
                                        {"warning", spdlog::level::warn},
                                        {"error", spdlog::level::err},
                                        {"off", spdlog::level::off}}};

std::mutex progress_mutex;
bool progress_shown = false;

spdlog::logger& logger() {
  static const auto instance = [] {
    auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
    if (std::getenv("NO_COLOR") != nullptr) sink->set_color_mode(spdlog::color_mode::never);
    auto made = std::make_shared<spdlog::logger>("ventris", std::move(sink));
    made->set_pattern("[%Y-%m-%d %H:%M:%S] %^%l%$ %v");
    made->flush_on(spdlog::level::trace);
    made->set_error_handler([](const std::string&) {});  // a full disk under the log must not end the work
    return made;
  }();
  return *instance;
}

void write(spdlog::level::level_enum level, std::string_view text) {
  {
    const std::lock_guard lock(progress_mutex);
    if (progress_shown) std::fputs("\r\033[K", stderr);
    progress_shown = false;
  }
  logger().log(level, "{}", text);
}

}  // namespace

void log_debug(std::string_view text) { write(spdlog::level::debug, text); }
void log_info(std::string_view text) { write(spdlog::level::info, text); }
void log_warning(std::string_view text) { write(spdlog::level::warn, text); }
void log_error(std::string_view text) { write(spdlog::level::err, text); }

void set_log_level(const std::string& level) {
  for (const auto& [name, value] : kLevels) {
    if (name == level) return logger().set_level(value);
  }
  fail<ConfigError>("--log-level: expected debug, info, warning, error or off, got '", level, "'");
}

void add_log_file(const std::string& path) {
  try {
    auto sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(path);
    sink->set_pattern("[%Y-%m-%d %H:%M:%S] %l %v");
    logger().sinks().push_back(std::move(sink));
  } catch (const spdlog::spdlog_ex& error) {
    fail<WriteError>(path, ": cannot open the log file: ", error.what());
  }
}

void show_progress(std::string_view text) {
  if (!stderr_is_terminal() || !logger().should_log(spdlog::level::info)) return;
  const std::lock_guard lock(progress_mutex);
  std::fprintf(stderr, "\r\033[K%.*s", static_cast<int>(text.size()), text.data());
  std::fflush(stderr);
  progress_shown = true;
}

bool stderr_is_terminal() {
  static const bool answer = isatty(STDERR_FILENO) == 1;
  return answer;
}

}  // namespace ventris::core
