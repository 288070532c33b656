#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "files/files.h"
#include "filters/earlier_output.h"
#include "filters/finished_input.h"
#include "filters/settings.h"

namespace ventris::filters {

/// The output of `ventris-translate`. If the run can be gone on with (can_be_resumed), the output is called
/// FILE.partial until it is complete (files::Naming::kPartial), and what the run was begun with is beside it, in
/// FILE.partial.json. After an interruption or an error both stay, also if the process is killed.
class ResumableOutput {
 public:
  /// With settings.resume, begins with the lines that an earlier run with the same input, models and settings has left,
  /// if there are any. Of what several such runs have left, only the longest stays. Throws ConfigError if
  /// settings.resume is not possible: if an earlier run differs, is not finished, or left no record. Throws WriteError,
  /// and DataError for a file that cannot be read.
  explicit ResumableOutput(const TranslateSettings& settings);
  ~ResumableOutput();
  ResumableOutput(const ResumableOutput&) = delete;
  ResumableOutput& operator=(const ResumableOutput&) = delete;

  /// How many lines of the input an earlier run has finished.
  int64_t finished() const { return finished_; }

  /// Tells of the next line of the input and its prefix, which are then answered or skipped in this order
  /// (FinishedInput).
  void read(std::string_view line, std::string_view prefix) { input_.read(line, prefix); }

  /// The next line of the input has its answer from an earlier run.
  void skip() { input_.finish(); }

  /// Writes the answer to one line of the input. On stdout and in a pipe it is visible at once, in a plain file after a
  /// second.
  void write(std::string_view answer);

  /// Completes the output, which gets its name.
  void commit();

  /// Keeps what was written after a signal, and returns the exception to throw. `lines`: of the input, from its start.
  Interrupted stopped(int64_t lines, int signal);

  /// To be called where any other exception is handled: keeps what was written before, or after an error of writing (a
  /// full disk) what an earlier run has left if that is longer. Throws the exception again; it goes on with what was
  /// kept. `lines`: of the input, from its start.
  [[noreturn]] void fail_with_lines(int64_t lines);

 private:
  void copy_earlier();
  int64_t answers_in(const std::string& partial) const;
  [[noreturn]] void fail_with_written();
  void keep_record();

  std::string path_;
  OutputFormat format_;
  nlohmann::ordered_json record_;  // null = this run cannot be gone on with
  EarlierOutput earlier_;
  files::OutputFile output_;
  FinishedInput input_;
  bool keeps_record_ = false;
  int64_t finished_ = 0;
  double flushed_ = 0;  // when, in seconds
};

}  // namespace ventris::filters
