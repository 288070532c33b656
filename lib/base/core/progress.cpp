#include "core/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <condition_variable>
#include <csignal>
#include <system_error>
#include <utility>

#include "core/human.h"
#include "core/terminal.h"

namespace ventris::core {
namespace {

constexpr double kSecondsBeforeFirst = 1.0;
constexpr double kSecondsBetween = 0.25;
constexpr size_t kBarWidth = 24, kNarrowBarWidth = 12, kNarrow = 100;  // columns

/// Redraws until a stop is requested.
void tick(const std::stop_token& stop, Progress& progress) {
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  const auto period = std::chrono::duration<double>(kSecondsBetween);
  while (!wake.wait_for(lock, stop, period, [&stop] { return stop.stop_requested(); })) progress.refresh();
}

/// Starts a thread that receives no signals: the working thread must receive them, because they may have to wake it. If
/// the system refuses it, no progress is shown.
std::jthread start_ticker(Progress& progress) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::jthread ticker;
  try {
    ticker = std::jthread([&progress](const std::stop_token& stop) { tick(stop, progress); });
  } catch (const std::system_error&) {
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return ticker;
}

std::string bar(double share, size_t width) {
  const auto full = static_cast<size_t>(share * static_cast<double>(width));
  std::string text = std::string(full, '=') + (full < width ? ">" : "");
  text.resize(width, ' ');
  return "[" + text + "]";
}

char spinner(double seconds) {
  constexpr std::array<char, 4> kSigns{'|', '/', '-', '\\'};
  return kSigns[static_cast<size_t>(seconds / kSecondsBetween) % kSigns.size()];
}

}  // namespace

Progress::Progress(std::string what, std::string unit, double total)
    : Progress(std::move(what), std::move(unit), total, seconds_now, shows_progress() ? Sink(show_progress) : nullptr,
               terminal_columns) {
  if (active()) ticker_ = start_ticker(*this);
}

Progress::Progress(std::string what, std::string unit, double total, Clock clock, Sink sink, Columns columns)
    : what_(std::move(what)),
      unit_(std::move(unit)),
      total_(total),
      clock_(std::move(clock)),
      sink_(std::move(sink)),
      columns_(std::move(columns)),
      started_(clock_()),
      first_at_(started_) {}

Progress::~Progress() {
  if (ticker_.joinable()) {
    ticker_.request_stop();
    ticker_.join();
  }
  if (active() && drawn_ > 0) sink_("");
}

void Progress::set(double done) {
  const std::lock_guard lock(mutex_);
  updated_ = clock_();
  if (first_ < 0) {
    first_ = done;
    if (done > 0) first_at_ = updated_;  // what was done before needed other time
  }
  done_ = done;
}

void Progress::add(double more) {
  const std::lock_guard lock(mutex_);
  if (first_ < 0) first_ = 0;
  done_ += more;
  updated_ = clock_();
}

void Progress::note(std::string text, std::string shorter) {
  const std::lock_guard lock(mutex_);
  note_ = std::move(text);
  short_note_ = std::move(shorter);
}

double Progress::seconds() const { return clock_() - started_; }

void Progress::phase(std::string what) {
  const std::lock_guard lock(mutex_);
  what_ = std::move(what);
  note_.clear();
  short_note_.clear();
  total_ = done_ = 0;
}

void Progress::refresh() {
  const std::lock_guard lock(mutex_);
  const double now = clock_();
  if (!active() || now - started_ < kSecondsBeforeFirst) return;
  if (drawn_ > 0 && now - drawn_ < kSecondsBetween / 2) return;
  drawn_ = now;
  sink_(line(now));
}

std::string Progress::amount(const std::string& note) const {
  if (!note.empty()) return ", " + note;
  if (unit_.empty() || done_ <= 0) return "";
  const std::string done = grouped(std::llround(done_));
  if (total_ <= 0) return fmt::format(", {} {}", done, unit_);
  return fmt::format(", {} of {} {}", done, grouped(std::llround(total_)), unit_);
}

/// The estimate from the speed up to the last call of set() or add(). Negative if the next call is overdue.
double Progress::seconds_left(double now) const {
  const double at_the_call = (updated_ - first_at_) * (total_ - done_) / (done_ - first_);
  return at_the_call - (now - updated_);
}

std::string Progress::with_bar(double share, size_t bar_width, const std::string& rest) const {
  const std::string drawn = bar_width > 0 ? " " + bar(share, bar_width) : "";
  return fmt::format("{}{} {:3.0f} %{}", what_, drawn, 100 * share, rest);
}

/// The first of several lines that fits: the bar is the first to get shorter, and the last part of the line is not cut
/// off before the bar is gone.
std::string Progress::line(double now) const {
  const size_t columns = columns_();
  const auto fits = [columns](const std::string& text) { return characters(text) < columns; };
  const std::string& brief = short_note_.empty() ? note_ : short_note_;
  const double taken = now - started_;
  if (total_ <= 0 || done_ <= 0) {
    const auto with = [&](const std::string& note) {
      return fmt::format("{} {}{}, {}", spinner(taken), what_, amount(note), time_text(taken));
    };
    const std::string text = with(note_);
    return fits(text) ? text : with(brief);
  }
  const double share = std::clamp(done_ / total_, 0.0, 1.0);
  const double left = done_ > first_ ? seconds_left(now) : -1;
  const std::string time = left >= 0 ? fmt::format(", {} left", time_text(left)) : "";
  const size_t width = columns < kNarrow ? kNarrowBarWidth : kBarWidth;
  for (const auto& [bar_width, note] : {std::pair{width, note_}, {kNarrowBarWidth, note_}, {kNarrowBarWidth, brief}}) {
    const std::string text = with_bar(share, bar_width, time + amount(note));
    if (fits(text)) return text;
  }
  return with_bar(share, 0, time + amount(brief));
}

}  // namespace ventris::core
