#include "report/run_data.h"

#include <fmt/chrono.h>

#include <chrono>
#include <filesystem>
#include <sstream>

#include "core/error.h"
#include "core/json_shape.h"
#include "files/files.h"
#include "files/paths.h"

namespace ventris::report {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

constexpr size_t kMostValues = 10'000'000;  // of one file or line: attention has many

json parsed(const std::string& text) {
  if (!core::is_modest_json(text, kMostValues)) return {};
  json value = json::parse(text, nullptr, /*allow_exceptions=*/false);
  return value.is_object() ? value : json();
}

json read_object(const fs::path& path) { return files::exists(path) ? parsed(files::read_plain_file(path)) : json(); }

/// Whether the values of a line have the right types. Damaged lines are skipped, so that no part of the report is lost.
bool is_line(const json& value) {
  const auto is = [&](const char* key, auto type, bool needed) {
    return value.contains(key) ? (value[key].*type)() : !needed;
  };
  return is("kind", &json::is_string, true) && is("updates", &json::is_number, true) &&
         is("epoch", &json::is_number, false) && is("best", &json::is_boolean, false) &&
         is("samples", &json::is_array, false);
}

std::vector<json> read_lines(const fs::path& path) {
  std::vector<json> found;
  if (!files::exists(path)) return found;
  std::istringstream lines(files::read_plain_file(path));
  for (std::string line; std::getline(lines, line);) {
    json value = parsed(line);
    if (is_line(value)) found.push_back(std::move(value));
  }
  return found;
}

std::string name_of(const fs::path& folder) {
  std::error_code gone;  // the current folder was removed
  const fs::path whole = fs::absolute(folder, gone).lexically_normal();
  const std::string last = whole.filename().string();
  return last.empty() ? whole.parent_path().filename().string() : last;
}

/// Empty if it cannot be found out.
std::string changed_at(const fs::path& path) {
  std::error_code error;
  const auto time = fs::last_write_time(path, error);
  if (error) return "";
  const auto on_clock = std::chrono::file_clock::to_sys(time);
  return time_text(std::chrono::time_point_cast<std::chrono::system_clock::duration>(on_clock));
}

}  // namespace

std::string time_text(std::chrono::system_clock::time_point time) {
  return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(time));
}

RunData read_run(const std::string& folder) {
  const fs::path path(folder);
  if (!files::exists(path / "metrics.jsonl")) {
    fail<DataError>(folder, ": expected a run folder of ventris-train, but it has no metrics.jsonl");
  }
  RunData run;
  run.name = name_of(path);
  run.settings = read_object(path / "config.json");
  run.metrics = read_lines(path / "metrics.jsonl");
  run.samples = read_lines(path / "report" / kSamples);
  run.attention = read_object(path / "report" / kAttention);
  run.statistics = read_object(path / "report" / kStatistics);
  run.state = read_object(path / "report" / kState);
  run.last_line = changed_at(path / "metrics.jsonl");
  run.written = time_text(std::chrono::system_clock::now());
  return run;
}

}  // namespace ventris::report
