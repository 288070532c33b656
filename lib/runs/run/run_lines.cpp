#include "run/run_lines.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/error.h"
#include "core/json_shape.h"
#include "files/files.h"
#include "files/paths.h"

namespace ventris::run {
namespace {

using nlohmann::ordered_json;

bool is_ours(const ordered_json& line) {
  return line.is_object() && line.contains("kind") && line["kind"].is_string() && line.contains("updates") &&
         line["updates"].is_number_integer();
}

/// Whether this line was written before `state`. If not, the resumed run will write it again.
bool is_known(const ordered_json& line, const TrainingState& state) {
  const std::string kind = line["kind"];
  const int64_t updates = line["updates"];
  if (kind == "averaged" && !state.finished) return updates < state.progress.updates;
  return updates <= (kind == "valid" ? state.last_validated : state.progress.updates);
}

}  // namespace

void cut_lines(const std::string& path, const TrainingState& state) {
  if (!files::exists(path)) return;
  std::istringstream lines(files::read_plain_file(path));
  std::string line, kept;
  while (std::getline(lines, line)) {
    if (!core::is_modest_json(line)) continue;
    const auto object = ordered_json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (is_ours(object) && is_known(object, state)) kept += line + "\n";
  }
  files::write_file(path, kept);
}

void append_line(const std::string& path, const ordered_json& line) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  const bool was_there = !error;
  std::ofstream file(path, std::ios::app);
  file << line.dump(-1, ' ', false, ordered_json::error_handler_t::replace) << '\n';
  if (file.flush()) return;
  file.close();
  if (was_there) std::filesystem::resize_file(path, size, error);  // half a line would spoil the next one
  fail<WriteError>(path, ": cannot be written: is the disk full, or the folder gone?");
}

}  // namespace ventris::run
