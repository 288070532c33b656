#include "filters/resumable_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "core/json_shape.h"
#include "core/log.h"
#include "core/process.h"
#include "files/partial.h"
#include "filters/finished_lines.h"
#include "filters/moses.h"
#include "filters/run_record.h"

namespace ventris::filters {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr double kSecondsBetweenFlushes = 1.0;

uintmax_t size_of(const std::string& path) {
  std::error_code error;
  const uintmax_t size = fs::file_size(path, error);
  return error ? 0 : size;
}

/// The record of a run with these settings; null if it cannot be gone on with.
ordered_json record_for(const TranslateSettings& settings) {
  if (can_be_resumed(settings)) return record_of(settings);
  if (settings.resume) {
    fail<ConfigError>(
        "--resume: expected an input file and an output file that are translated line by line; a pipe cannot be read "
        "again, and a document of --markup is written as a whole");
  }
  return {};
}

/// The partial files of `path` that no process writes. Those without a byte count only if they have a record.
std::vector<std::string> abandoned(const std::string& path) {
  std::vector<std::string> found;
  std::string busy;
  for (const std::string& partial : files::partial_files(path)) {
    if (files::is_locked(partial)) {
      busy = partial;
    } else if (size_of(partial) > 0 || fs::exists(record_name(partial))) {
      found.push_back(partial);
    }
  }
  if (found.empty() && !busy.empty()) {
    fail<ConfigError>("--resume: ", busy, " is being written by another process; wait for it, or stop it");
  }
  return found;
}

/// The longest of those that were begun like a run with this record; empty = there are none at all.
std::string left_by_earlier_run(const std::string& path, const ordered_json& record) {
  std::string best, problem;
  for (const std::string& partial : abandoned(path)) {
    if (!fs::exists(record_name(partial))) {
      problem = partial + ": its record " + record_name(partial) + " is missing, so nobody knows how it was begun";
      continue;
    }
    const std::string text = files::read_plain_file(record_name(partial));
    const ordered_json before = core::is_modest_json(text) ? ordered_json::parse(text, nullptr, false) : ordered_json();
    const std::string other = before.is_object() ? difference(before, record) : "a record that is damaged";
    if (!other.empty()) problem = partial + ": was begun with " + other;
    if (other.empty() && (best.empty() || size_of(partial) > size_of(best))) best = partial;
  }
  if (best.empty() && !problem.empty()) {
    fail<ConfigError>("--resume: ", problem, "; give what it was begun with, or remove it to start with line 1");
  }
  return best;
}

void remove_with_record(const std::string& partial) {
  std::error_code ignored;
  if (partial.empty()) return;
  fs::remove(partial, ignored);
  fs::remove(record_name(partial), ignored);
}

}  // namespace

ResumableOutput::ResumableOutput(const TranslateSettings& settings)
    : path_(settings.output),
      record_(record_for(settings)),
      earlier_(settings.resume ? left_by_earlier_run(path_, record_) : ""),
      output_(path_, files::Packing::kBySuffix, record_.is_null() ? files::Naming::kAtTheEnd : files::Naming::kPartial),
      flushed_(core::seconds_now()) {
  if (settings.resume) copy_earlier(settings.written.format);
  if (!output_.partial().empty()) files::write_file(record_name(output_.partial()), record_.dump(1) + "\n");
}

ResumableOutput::~ResumableOutput() {
  std::error_code ignored;
  if (!keeps_record_ && !output_.partial().empty()) fs::remove(record_name(output_.partial()), ignored);
}

void ResumableOutput::copy_earlier(OutputFormat format) {
  if (earlier_.empty()) return core::log_info(path_ + ": nothing was left by an earlier run; starting with line 1");
  finished_ = format == OutputFormat::kMoses ? copy_lists(earlier_) : copy_lines(earlier_);
  core::log_info(fmt::format("{}: going on after line {}", earlier_, finished_));
}

int64_t ResumableOutput::copy_lines(const std::string& partial) {
  int64_t lines = 0;
  files::for_each_whole_line(partial, [&](std::string_view line) {
    output_.write(line);
    output_.write("\n");
    ++lines;
  });
  return lines;
}

/// The last list may lack some of its lines, so it is made again.
int64_t ResumableOutput::copy_lists(const std::string& partial) {
  int64_t number = 0, lines = 0;
  std::string list;
  files::for_each_whole_line(partial, [&](std::string_view line) {
    const std::string where = partial + ":" + std::to_string(++lines);
    const int64_t id = MosesLine::parse(line, where).id;
    if (id == number + 1) {
      output_.write(list);
      list.clear();
      ++number;
    } else if (id != number) {
      fail<DataError>(where, ": expected ID ", number, " or ", number + 1, ", got ", id,
                      "; somebody changed the file; remove it to start with line 1");
    }
    list.append(line).append("\n");
  });
  return number;
}

void ResumableOutput::write(std::string_view answer) {
  output_.write(answer);
  const bool packed = path_.ends_with(".gz");  // a flush would change the packed bytes
  const bool due = path_ == "-" || (!packed && core::seconds_now() - flushed_ >= kSecondsBetweenFlushes);
  if (!due) return;
  output_.flush();
  flushed_ = core::seconds_now();
}

void ResumableOutput::commit() {
  output_.commit();
  remove_with_record(earlier_);
}

Interrupted ResumableOutput::stopped(int64_t lines, int signal) {
  const int64_t written = std::max(lines, finished_);
  Interrupted stop = keep_finished(output_, path_, {"line", written}, signal);
  keeps_record_ = !output_.partial().empty() && written > 0;
  if (!keeps_record_) return stop;
  remove_with_record(earlier_);
  return {signal, std::string(stop.what()) + "; --resume goes on from there"};
}

WriteError ResumableOutput::failed(const WriteError& error) {
  std::string kept = earlier_;
  if (size_of(output_.partial()) >= std::max(size_of(earlier_), uintmax_t{1}) && output_.leave_partial() > 0) {
    keeps_record_ = true;
    remove_with_record(earlier_);
    kept = output_.partial();
  }
  if (kept.empty()) return error;
  return WriteError(std::string(error.what()) + "; what was finished is in " + kept +
                    ", and --resume goes on from there");
}

}  // namespace ventris::filters
