#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/progress.h"
#include "run/checkpoint.h"
#include "run/report_sums.h"
#include "run/run_reporter.h"
#include "run/validation_result.h"
#include "settings/period.h"
#include "settings/run_config.h"

namespace ventris::run {

/// Reports the progress of a run: in the log, in metrics.jsonl, and as a progress line on a
/// terminal.
class Observer {
 public:
  /// `metrics` is the file to append to; lines that a killed run wrote after `state` was saved are removed first.
  /// `reporter` (null = none) gets all lines.
  Observer(std::string metrics, const TrainingState& state, std::unique_ptr<RunReporter> reporter = nullptr);

  /// Call after each update, with the length of the run.
  void update(const settings::RunProgress& progress, const ReportSums& sums, const settings::Period& length);

  /// Writes a report. Without an update that was not skipped, the loss is nan in the log and null in the file.
  void report(const settings::RunProgress& progress, const ReportSums& sums, double learning_rate);

  void validated(const settings::RunProgress& progress, const ValidationResult& result, settings::Metric metric,
                 bool better, int64_t stalled);

  /// Reports the average of these models at the end; `result` is null without a validation corpus.
  void averaged(const settings::RunProgress& progress, const std::vector<KeptModel>& models,
                const ValidationResult* result);

  /// Reports the end of the run, and why it was stopped or failed.
  void ended(report::RunState state, const std::string& reason = "");

  /// Between these calls, time does not count for tokens per second; `why` is shown meanwhile ("validating").
  void pause(const char* why);
  void resume();

  /// The time of the updates since the last report, in seconds.
  double window_seconds() const;

 private:
  std::string metrics_;
  std::unique_ptr<RunReporter> reporter_;
  double window_started_;  ///< seconds
  double paused_at_ = 0;
  core::Progress progress_{"training", "", 1};  // of the whole run, if its length is known
};

/// While it lives, the run does not train, and its time does not count in reports.
class Paused {
 public:
  /// `observer` null = another process reports.
  Paused(Observer* observer, const char* why) : observer_(observer) {
    if (observer_) observer_->pause(why);
  }
  ~Paused() {
    if (observer_) observer_->resume();
  }
  Paused(const Paused&) = delete;
  Paused& operator=(const Paused&) = delete;

 private:
  Observer* observer_;
};

}  // namespace ventris::run
