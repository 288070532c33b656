#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/progress.h"
#include "run/checkpoint.h"
#include "run/config.h"
#include "run/period.h"
#include "run/report_sums.h"
#include "run/run_reporter.h"
#include "run/validation_result.h"

namespace ventris::run {

/// Tells people and programs how a run goes: a line in the log, a line in metrics.jsonl, and a moving line on a
/// terminal.
class Observer {
 public:
  /// `metrics` is the file to append to; lines that a killed run wrote after `state` was saved are cut off first.
  /// `reporter` (null = none) is handed all lines.
  Observer(std::string metrics, const TrainingState& state, std::unique_ptr<RunReporter> reporter = nullptr);

  /// One update is done, of a run of this length.
  void update(const RunProgress& progress, const ReportSums& sums, const Period& length);

  /// Time for a report. A window in which every update was skipped has no loss: nan in the log, null in the file.
  void report(const RunProgress& progress, const ReportSums& sums, double learning_rate);

  void validated(const RunProgress& progress, const ValidationResult& result, Metric metric, bool better,
                 int64_t stalled);

  /// The mean of these models is made at the end; `result` is null without a validation corpus.
  void averaged(const RunProgress& progress, const std::vector<KeptModel>& models, const ValidationResult* result);

  /// The run is at its end.
  void finished();

  /// Time spent outside training does not count in tokens per second; `why` is shown meanwhile ("validating").
  void pause(const char* why);
  void resume();

  /// Seconds that the updates since the last report have taken.
  double window_seconds() const;

 private:
  std::string metrics_;
  std::unique_ptr<RunReporter> reporter_;
  double window_started_;  ///< seconds
  double paused_at_ = 0;
  core::Progress progress_{"training", "", 1};  // of the whole run, where its length is known
};

/// Time in which a run does not train: the reports' clock stands still.
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
