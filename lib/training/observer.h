#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "training/checkpoint.h"
#include "training/config.h"
#include "training/period.h"
#include "training/run_reporter.h"
#include "training/validation.h"
#include "training/window.h"

namespace ventris::training {

/// Tells people and programs how a run goes: a line in the log, a line in metrics.jsonl, and a moving line on a
/// terminal.
class Observer {
 public:
  /// `metrics` is the file to append to; lines that a killed run wrote after `state` was saved are cut off first.
  /// `reporter` (null = none) is handed all lines.
  Observer(std::string metrics, const TrainingState& state, std::unique_ptr<RunReporter> reporter = nullptr);

  /// One update is done. `share` of the whole run, 0 if unknown.
  void update(const Progress& progress, const Window& window, double share);

  /// Time for a report of the window.
  void report(const Progress& progress, const Window& window, double learning_rate);

  void validated(const Progress& progress, const ValidationResult& result, Metric metric, bool better, int64_t stalled);

  /// The mean of these models is made at the end; `result` is null without a validation corpus.
  void averaged(const Progress& progress, const std::vector<KeptModel>& models, const ValidationResult* result);

  /// The run is at its end.
  void finished();

  /// Time spent outside training (validation) does not count in tokens per second.
  void pause();
  void resume();

  /// Seconds that the updates since the last report have taken.
  double window_seconds() const;

 private:
  std::string metrics_;
  std::unique_ptr<RunReporter> reporter_;
  double window_started_;        ///< seconds
  double run_started_;
  double share_at_start_ = -1;
  double paused_at_ = 0;
  double last_shown_ = 0;
};

}  // namespace ventris::training
