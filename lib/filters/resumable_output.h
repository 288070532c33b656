#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/error.h"
#include "files/files.h"
#include "filters/settings.h"

namespace ventris::filters {

/// The output of `ventris-translate`. If the run can be gone on with (can_be_resumed), the output is called
/// FILE.partial until it is complete (files::Naming::kPartial), and what the run was begun with is beside it, in
/// FILE.partial.json. After an interruption both stay, also if the process is killed, and after an error of writing.
/// After other errors they are removed.
class ResumableOutput {
 public:
  /// With settings.resume, begins with the lines that an earlier run with the same input, models and settings has left,
  /// if there are any. Throws ConfigError if settings.resume is not possible: if an earlier run differs, is not
  /// finished, or left no record. Throws WriteError, and DataError for a file that cannot be read.
  explicit ResumableOutput(const TranslateSettings& settings);
  ~ResumableOutput();
  ResumableOutput(const ResumableOutput&) = delete;
  ResumableOutput& operator=(const ResumableOutput&) = delete;

  /// How many lines of the input an earlier run has finished.
  int64_t finished() const { return finished_; }

  /// Writes the answer to one line of the input. On stdout it is visible at once, in a plain file after a second.
  void write(std::string_view answer);

  /// Completes the output, which gets its name.
  void commit();

  /// Keeps what was written after a signal, and returns the exception to throw. `lines`: of the input, from its start.
  Interrupted stopped(int64_t lines, int signal);

  /// Keeps what was written before this error of writing (a full disk), or what an earlier run has left if that is
  /// longer. Returns the exception to throw.
  WriteError failed(const WriteError& error);

 private:
  void copy_earlier(OutputFormat format);
  int64_t copy_lines(const std::string& partial);
  int64_t copy_lists(const std::string& partial);

  std::string path_;
  nlohmann::ordered_json record_;  // null = this run cannot be gone on with
  std::string earlier_;  // the partial file of an earlier run; "" = none
  files::OutputFile output_;
  bool keeps_record_ = false;
  int64_t finished_ = 0;
  double flushed_ = 0;  // when, in seconds
};

}  // namespace ventris::filters
