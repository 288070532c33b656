#pragma once
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "core/log.h"
#include "core/process.h"

namespace ventris::core {

/// How far a piece of work is, as one line on the terminal: a bar with the time left where the whole is known, else a
/// sign of life with what is done and the time taken. It appears once the work has taken a second, is drawn anew a few
/// times a second by a thread of its own, and is gone with the object. Nothing is shown, and no thread is made, where
/// shows_progress() says no. Thread-safe. One at a time: two would take turns.
class Progress {
 public:
  using Clock = std::function<double()>;                ///< seconds
  using Sink = std::function<void(std::string_view)>;  ///< takes the line; empty = erase it

  /// "what [===>   ] 45 %, 0:11 left, 9 of 20 unit". `total` 0 = unknown; `unit` empty = only the share is shown.
  explicit Progress(std::string what, std::string unit = "", double total = 0);

  /// With another clock and another place for the line, so wide, and without a thread: refresh() draws.
  Progress(std::string what, std::string unit, double total, Clock clock, Sink sink, size_t columns = 100);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// How much is done. What the first call says was there before and does not count for the time left, which is
  /// estimated at each call and counted down until the next one.
  void set(double done);
  void add(double more = 1);

  /// Replaces "9 of 20 unit" by this text.
  void note(std::string text);

  /// What is being done from now on; the whole is no longer known.
  void phase(std::string what);

  /// Draws the line if it is time to.
  void refresh();

  /// Whether anything is shown: what is only for note() need not be put together otherwise.
  bool active() const { return sink_ != nullptr; }

 private:
  std::string line(double now) const;
  std::string amount() const;
  double seconds_left(double now) const;

  mutable std::mutex mutex_;
  std::string what_, unit_, note_;
  double total_ = 0, done_ = 0, first_ = -1;  // first_ < 0: set() was not called
  Clock clock_;
  Sink sink_;  // empty = nothing is shown
  size_t bar_width_;
  double started_ = 0, drawn_ = 0, updated_ = 0;  // seconds
  std::jthread ticker_;
};

}  // namespace ventris::core
