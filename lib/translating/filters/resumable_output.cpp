#include "filters/resumable_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/log.h"
#include "core/process.h"
#include "core/rethrow.h"
#include "filters/finished_lines.h"
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
        "resume: expected an input file and an output file that are translated line by line; a pipe cannot be read "
        "again, and a document of --markup is written as a whole");
  }
  return {};
}

/// What a user can do about the exception that is being handled.
std::string way_on() {
  const bool of_input = core::handles<DataError>() || core::handles<ConfigError>();
  return of_input ? "; mend the input, and --resume goes on after them" : "; --resume goes on after them";
}

}  // namespace

ResumableOutput::ResumableOutput(const TranslateSettings& settings)
    : path_(settings.output),
      format_(settings.written.format),
      record_(record_for(settings)),
      earlier_(settings.resume ? find_earlier_output(settings, record_) : EarlierOutput()),
      output_(path_, files::Packing::kBySuffix, record_.is_null() ? files::Naming::kAtTheEnd : files::Naming::kPartial),
      flushed_(core::seconds_now()) {
  // Until this run keeps its own, the marks of the earlier one hold: its lines are those that this one begins with.
  if (earlier_.record.contains(kFinishedInput)) record_[kFinishedInput] = earlier_.record[kFinishedInput];
  if (settings.resume) copy_earlier();
  if (!output_.partial().empty()) files::write_file(record_name(output_.partial()), record_.dump(1) + "\n");
}

ResumableOutput::~ResumableOutput() {
  std::error_code ignored;
  if (!keeps_record_ && !output_.partial().empty()) fs::remove(record_name(output_.partial()), ignored);
}

void ResumableOutput::copy_earlier() {
  if (earlier_.partial.empty()) {
    return core::log_info(path_ + ": nothing was left by an earlier run; starting with line 1");
  }
  finished_ = for_each_answer(earlier_, format_, [this](std::string_view answer) { output_.write(answer); });
  core::log_info(fmt::format("{}: going on after line {}", earlier_.partial, finished_));
}

void ResumableOutput::write(std::string_view answer) {
  output_.write(answer);
  input_.finish();
  const bool packed = path_.ends_with(".gz");  // a flush would change the packed bytes
  const bool due = output_.is_read_at_once() || (!packed && core::seconds_now() - flushed_ >= kSecondsBetweenFlushes);
  if (!due) return;
  output_.flush();
  flushed_ = core::seconds_now();
}

void ResumableOutput::commit() {
  output_.commit();
  remove_earlier(earlier_.partial);
}

/// The output stays as output_.partial(), with a record by which it can be gone on with.
void ResumableOutput::keep_record() {
  keeps_record_ = true;
  const ordered_json marks = input_.to_json();
  if (!marks.empty()) {
    record_[kFinishedInput] = marks;
    try {
      files::write_file(record_name(output_.partial()), record_.dump(1) + "\n");
    } catch (const WriteError&) {  // the first record stays: the run can be gone on with if its input stays, too
    }
  }
  remove_earlier(earlier_.partial);
}

Interrupted ResumableOutput::stopped(int64_t lines, int signal) {
  const int64_t written = std::max(lines, finished_);
  Interrupted stop = keep_finished(output_, path_, {"line", written}, signal);
  if (output_.partial().empty() || written == 0) return stop;
  keep_record();
  return {signal, std::string(stop.what()) + "; --resume goes on from there"};
}

/// The lines of the input that a partial output has answers to.
int64_t ResumableOutput::answers_in(const std::string& partial) const {
  EarlierOutput written;
  written.partial = partial;
  written.record = record_;
  if (partial == earlier_.partial) written.most = earlier_.most;
  try {
    return for_each_answer(written, format_, [](std::string_view) {});
  } catch (const DataError&) {  // it cannot be read; --resume will say so
    return 0;
  }
}

/// After an error of writing: what has reached the file may end within a line, and be less than an earlier run has
/// left.
void ResumableOutput::fail_with_written() {
  std::string kept = earlier_.partial;
  if (size_of(output_.partial()) >= std::max(size_of(kept), uintmax_t{1}) && !output_.leave_partial().empty()) {
    keeps_record_ = true;
    remove_earlier(earlier_.partial);
    kept = output_.partial();
  }
  if (kept.empty()) throw;
  core::rethrow_with(text_of({"line", answers_in(kept)}, kept) + way_on());
}

void ResumableOutput::fail_with_lines(int64_t lines) {
  if (output_.partial().empty()) fail_with_finished(output_, path_, {"line", lines});
  if (core::handles<WriteError>()) fail_with_written();
  if (lines <= finished_ && !earlier_.partial.empty()) {  // nothing was added to what an earlier run has left
    core::rethrow_with(text_of({"line", finished_}, earlier_.partial) + way_on());
  }
  const Kept kept = keep_finished_after_error(output_, path_, {"line", lines});
  if (kept.name.empty()) throw;
  keep_record();
  core::rethrow_with(kept.text + way_on());
}

}  // namespace ventris::filters
