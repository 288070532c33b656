#pragma once
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "core/log.h"
#include "core/process.h"

namespace ventris::core {

/// A progress line on the terminal: a bar with the time left if the total is known, else an activity indicator with the
/// amount done and the time taken. It appears after one second of work, is redrawn a few times per second by its own
/// thread, and disappears when the object is destroyed. If shows_progress() is false, nothing is shown and no thread is
/// started. Thread-safe. Use one at a time: two would overwrite each other.
class Progress {
 public:
  using Clock = std::function<double()>;                ///< seconds
  using Sink = std::function<void(std::string_view)>;  ///< takes the line; empty = erase it
  using Columns = std::function<size_t()>;             ///< the width of the terminal, which may change

  /// "what [===>   ] 45 %, 0:11 left, 9 of 20 unit". `total` 0 = unknown; `unit` empty = only the percentage is shown.
  explicit Progress(std::string what, std::string unit = "", double total = 0);

  /// For tests: with this clock, output and width, and without a thread. refresh() draws the line.
  Progress(
      std::string what, std::string unit, double total, Clock clock, Sink sink, Columns columns = [] { return 100; });
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Sets the amount done. The amount of the first call was done before, so the estimate of the time left does not use
  /// it. Each call estimates the time left, which is counted down until the next call.
  void set(double done);
  void add(double more = 1);

  /// Replaces "9 of 20 unit" by this text, or by `shorter` (empty = none) if it does not fit on the line. What still
  /// does not fit takes the place of the bar.
  void note(std::string text, std::string shorter = "");

  /// Sets the description of the work from now on; the total is no longer known.
  void phase(std::string what);

  /// Draws the line if it is due.
  void refresh();

  /// Whether anything is shown. If not, callers need not prepare a text for note().
  bool active() const { return sink_ != nullptr; }

  double seconds() const;  ///< since the object was made

 private:
  std::string line(double now) const;
  std::string with_bar(double share, size_t bar_width, const std::string& rest) const;
  std::string amount(const std::string& note) const;
  double seconds_left(double now) const;

  mutable std::mutex mutex_;
  std::string what_, unit_, note_, short_note_;
  double total_ = 0, done_ = 0, first_ = -1;  // first_ < 0: set() was not called
  Clock clock_;
  Sink sink_;  // empty = nothing is shown
  Columns columns_;
  double started_ = 0, drawn_ = 0, updated_ = 0;  // seconds
  double first_at_ = 0;  // seconds: since when more than first_ is done
  std::jthread ticker_;
};

}  // namespace ventris::core
