#include "run/run_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>
#include <vector>

#include "core/error.h"
#include "events/event_file.h"
#include "files/files.h"
#include "files/folders.h"
#include "files/paths.h"
#include "files/replacing.h"
#include "model/checkpoint_files.h"
#include "report/run_data.h"

namespace ventris::run {
namespace fs = std::filesystem;
namespace {

constexpr const char* kMark =
    "Ventris run 1\n"
    "While this file is here, ventris-train may replace and remove the files of its runs in this folder.\n";

std::vector<std::string> files_of(const RunFolder& run) {
  return {run.config(), run.metrics(), run.report(), run.standard_input(), run.older_standard_input()};
}

std::vector<std::string> bundles_of(const RunFolder& run) { return {run.best(), run.final(), run.averaged()}; }

/// The folders of a run that have several entries.
std::vector<std::string> folders_of(const RunFolder& run) {
  return {run.checkpoints(), run.models(), run.report_data()};
}

std::vector<std::string> report_files(const RunFolder& run) {
  std::vector<std::string> files;
  for (const char* name : {report::kSamples, report::kAttention, report::kStatistics, report::kState}) {
    files.push_back(run.report_data() + "/" + name);
  }
  return files;
}

/// Everything that a new run replaces.
std::vector<std::string> replaced(const RunFolder& run) {
  std::vector<std::string> all{run.latest()};
  for (const auto& part : {files_of(run), bundles_of(run), folders_of(run), events::own_event_files(run.path)}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

bool is_there(const std::string& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

bool is_link(const std::string& path) {
  std::error_code ignored;
  return fs::is_symlink(path, ignored);
}

[[noreturn]] void refuse_kind(const std::string& path, const char* expected, const char* found) {
  fail<ConfigError>(path, ": expected ", expected, " that a run made, found ", found,
                    "; move it elsewhere, or give another --model folder");
}

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool is_marked(const RunFolder& run) {
  std::error_code ignored;
  return fs::is_regular_file(run.mark(), ignored) && files::read_file(run.mark()).starts_with("Ventris run ");
}

bool is_checkpoint(const std::string& folder) {
  return files::exists(folder + "/MANIFEST") && files::exists(folder + "/state.json");
}

void refuse_log_that_is_no_file(const RunFolder& run) {
  std::error_code ignored;
  if (!files::exists(run.log()) || fs::is_regular_file(run.log(), ignored)) return;
  fail<ConfigError>(run.log(), ": is not a regular file, but the run's log would be written there; move it elsewhere");
}

/// Refuses links, because removing files there would remove those of another run.
void refuse_folders_of_other_runs(const RunFolder& run) {
  for (const std::string& path : folders_of(run)) {
    if (!is_link(path)) continue;
    const fs::path home = files::resolved(path).parent_path();
    if (home == files::resolved(run.path) || !is_run_folder({home.string()})) continue;
    fail<ConfigError>(path, ": is a link into another run's folder, ", home.string(),
                      ", whose files would be replaced; remove the link");
  }
}

/// The root of the file system, or a folder that belongs to a run.
void refuse_part_of_a_run(const RunFolder& run) {
  const fs::path folder = files::resolved(run.path), parent = folder.parent_path();
  if (folder == folder.root_path()) {
    fail<ConfigError>(run.path, ": is the root of the file system; give another --model folder");
  }
  const RunFolder around{parent.string()};
  const std::vector<std::string> parts = folders_of(around);
  const bool is_part =
      std::ranges::any_of(parts, [&](const std::string& part) { return files::resolved(part) == folder; });
  if (!is_part || !is_run_folder(around)) return;
  fail<ConfigError>(run.path, ": is a part of the run in ", around.path,
                    "; give that folder, or another --model folder");
}

bool lies_in(const std::string& path, const std::string& folder) {
  const fs::path inner = files::resolved(path), outer = files::resolved(folder);
  return std::mismatch(inner.begin(), inner.end(), outer.begin(), outer.end()).second == outer.end();
}

}  // namespace

std::string RunFolder::model(int64_t updates) const { return models() + "/" + step_name(updates); }

std::string step_name(int64_t updates) { return fmt::format("step-{:08d}", updates); }

bool is_run_folder(const RunFolder& run) {
  if (is_marked(run) && files::exists(run.config())) return true;
  std::error_code ignored;
  if (fs::read_symlink(run.latest(), ignored).string().starts_with("checkpoints/step-")) return true;
  return std::ranges::any_of(files::numbered_entries(run.checkpoints(), "step-"),
                             [](const files::Numbered& step) { return is_checkpoint(step.path); });
}

void mark_run_folder(const RunFolder& run) {
  if (!files::exists(run.mark())) files::write_file(run.mark(), kMark);
}

EarlyMark::EarlyMark(RunFolder run) : run_(std::move(run)) { mark_run_folder(run_); }

EarlyMark::~EarlyMark() {
  try {
    std::error_code ignored;
    if (!is_run_folder(run_)) fs::remove(run_.mark(), ignored);
  } catch (const std::exception&) {  // the mark cannot be read, and stays
  }
}

void remove_leftovers(const RunFolder& run) {
  std::set<std::string> names;
  for (const auto& paths : {files_of(run), bundles_of(run), report_files(run), {run.mark()}}) {
    for (const std::string& path : paths) names.insert(fs::path(path).filename().string());
  }
  const auto is_step = [](const std::string& name) {
    return name.starts_with("step-") && name.find_first_not_of("0123456789", 5) == std::string::npos;
  };
  const auto is_ours = [&](const std::string& name) { return names.contains(name) || is_step(name); };
  for (const std::string& parent : {run.path, run.checkpoints(), run.models(), run.report_data()}) {
    files::remove_leftovers(parent, is_ours);
  }
}

void refuse_foreign_files(const RunFolder& run) {
  if (files::exists(run.path + "/MANIFEST")) {
    fail<ConfigError>(run.path, ": is a bundle, not a run folder; give another --model folder");
  }
  refuse_part_of_a_run(run);
  refuse_log_that_is_no_file(run);
  refuse_folders_of_other_runs(run);
  if (is_run_folder(run)) return;
  std::vector<std::string> taken = replaced(run);
  if (!is_marked(run)) taken.push_back(run.mark());
  for (const std::string& path : taken) {
    const bool input = path == run.standard_input() || path == run.older_standard_input();
    if (!is_there(path) || (input && is_marked(run))) continue;  // from a process that was killed while it copied
    fail<ConfigError>(path, ": would be replaced by a run, but no run made it, because ", run.path,
                      " is not a run folder (it has no file RUN); give another --model folder, or move it elsewhere");
  }
}

void refuse_foreign_kinds(const RunFolder& run) {
  for (const std::string& path : files_of(run)) {
    if (is_folder(path)) refuse_kind(path, "a file", "a folder");
  }
  if (is_there(run.latest()) && !is_link(run.latest())) refuse_kind(run.latest(), "a link", "something else");
  for (const auto& paths : {bundles_of(run), folders_of(run)}) {
    for (const std::string& path : paths) {
      if (is_there(path) && !is_link(path) && !is_folder(path)) refuse_kind(path, "a folder", "a file");
    }
  }
  std::error_code ignored;
  for (const std::string& path : bundles_of(run)) {
    const bool foreign = is_folder(path) && !files::exists(path + "/MANIFEST") && !fs::is_empty(path, ignored);
    if (foreign) refuse_kind(path, "a bundle", "a folder without MANIFEST");
  }
}

void refuse_replaced_input(const RunFolder& run, const std::string& setting, const std::string& path) {
  std::vector<std::string> taken = replaced(run);
  taken.push_back(run.log());
  for (const std::string& one : taken) {
    if (path.empty() || !lies_in(path, one)) continue;
    fail<ConfigError>(setting, ": ", path, " is among the files that a new run in ", run.path,
                      " replaces; copy it elsewhere, or give another --model folder");
  }
}

void remove_saved(const std::string& folder) {
  std::vector<std::string> usual(model::kCheckpointFiles.begin(), model::kCheckpointFiles.end());
  usual.push_back("config.json");  // of a bundle; its other files have the names of a checkpoint's
  files::remove_folder(folder, usual);
}

void remove_run(const RunFolder& run) {
  for (const std::string& path : events::own_event_files(run.path)) files::remove_file(path);
  if (is_link(run.latest())) files::remove_file(run.latest());
  for (const std::string& parent : {run.checkpoints(), run.models()}) {
    for (const auto& [number, folder] : files::numbered_entries(parent, "step-")) remove_saved(folder);
    files::remove_if_empty(parent);
  }
  for (const std::string& bundle : bundles_of(run)) remove_saved(bundle);
  for (const std::string& path : report_files(run)) files::remove_file(path);
  files::remove_if_empty(run.report_data());
  for (const std::string& path : {run.metrics(), run.report(), run.config()}) files::remove_file(path);
}

}  // namespace ventris::run
