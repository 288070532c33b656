#include "distributed/peer_watch.h"

#include <fmt/format.h>

#include <chrono>
#include <limits>

#include "core/process.h"
#include "core/resources.h"

namespace ventris::distributed {
namespace {

constexpr int kBeatSeconds = 1;
constexpr std::chrono::milliseconds kPoll{50};
constexpr double kLastWordsSeconds = 3;  // longer than two beats
constexpr double kForever = std::numeric_limits<double>::infinity();
constexpr const char* kLastWords = "last words";
constexpr const char* kEnded = "ended";
constexpr const char* kDone = "done";

std::string to_text(const std::vector<uint8_t>& bytes) { return {bytes.begin(), bytes.end()}; }
std::string sign_key(int rank) { return fmt::format("sign of {}", rank); }

/// Writes the last message unless there is one already.
void leave_last_words(c10d::Store& store, const std::string& words) {
  store.compareSet(kLastWords, {}, store_value(words));
}

/// Polls until the condition is true or the time is over. Returns whether it is true.
template <typename Condition>
bool poll(double seconds, const Condition& condition) {
  for (const double until = core::seconds_now() + seconds; !condition(); std::this_thread::sleep_for(kPoll)) {
    if (core::seconds_now() > until) return false;
  }
  return true;
}

}  // namespace

std::vector<uint8_t> store_value(const std::string& text) { return {text.begin(), text.end()}; }

void PeerWatch::give_sign(c10d::Store& store, int rank, int64_t number) {
  store.set(sign_key(rank), store_value(std::to_string(number)));
}

PeerWatch::PeerWatch(c10::intrusive_ptr<c10d::Store> store, const Ranks& ranks, std::vector<std::string> machines)
    : store_(std::move(store)),
      ranks_(ranks),
      machines_(std::move(machines)),
      seen_(static_cast<size_t>(ranks.size)),
      missed_(static_cast<size_t>(ranks.size)) {
  thread_ = core::start_thread([this] { loop(); });
}

PeerWatch::~PeerWatch() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

std::string PeerWatch::name_of(int rank) const {
  return fmt::format("rank {} on {}", rank, machines_[static_cast<size_t>(rank)]);
}

std::string PeerWatch::gone(int rank) const {
  return name_of(rank) + " is gone: it was killed, or its machine or the network to it failed";
}

std::string PeerWatch::problem() const {
  const std::lock_guard lock(mutex_);
  return problem_;
}

void PeerWatch::found(const std::string& problem) {
  const std::lock_guard lock(mutex_);
  if (problem_.empty()) problem_ = problem;
}

void PeerWatch::loop() {
  for (int64_t number = 1;; ++number) {
    try {
      give_sign(*store_, ranks_.rank, number);
      if (problem().empty()) look();
    } catch (const std::exception&) {
      return found(gone(0));
    }
    std::unique_lock lock(mutex_);
    if (wake_.wait_for(lock, std::chrono::seconds(kBeatSeconds), [this] { return quit_; })) return;
  }
}

/// Checks for last messages, and for processes without a sign of life for too long.
void PeerWatch::look() {
  if (const std::string words = last_words(); !words.empty()) return found(words);
  const auto now = signs();
  for (size_t i = 0; i < now.size(); ++i) {
    missed_[i] = now[i] == seen_[i] ? missed_[i] + 1 : 0;
    seen_[i] = now[i];
    if (missed_[i] * kBeatSeconds < ranks_.silence_seconds || leaving_) continue;
    lost(fmt::format("{} has given no sign of life for {} seconds", name_of(static_cast<int>(i)),
                     missed_[i] * kBeatSeconds));
  }
}

/// Records that a process is lost.
void PeerWatch::lost(const std::string& problem) {
  someone_lost_ = true;
  found(problem);
  leave_last_words(*store_, problem);
}

/// The newest sign of rank 0 and, on rank 0, of all others.
std::vector<std::string> PeerWatch::signs() {
  std::vector<std::string> keys;
  for (int rank = 0; rank < (ranks_.rank == 0 ? ranks_.size : 1); ++rank) keys.push_back(sign_key(rank));
  std::vector<std::string> found;
  for (const auto& bytes : store_->multiGet(keys)) found.push_back(to_text(bytes));
  return found;
}

std::string PeerWatch::last_words() {
  return store_->check({kLastWords}) ? to_text(store_->get(kLastWords)) : std::string();
}

/// The first process without a new sign of life, as a sentence; empty if there is none.
std::string PeerWatch::silent_since(const std::vector<std::string>& before) {
  for (int rank = 0; rank < ranks_.size; ++rank) {
    const auto sign = to_text(store_->get(sign_key(rank)));
    if (rank != ranks_.rank && sign == before[static_cast<size_t>(rank)]) return gone(rank);
  }
  return "";
}

std::string PeerWatch::reason_of(const std::string& broken_connection) {
  try {
    std::vector<std::string> before;
    for (int rank = 0; rank < ranks_.size; ++rank) before.push_back(to_text(store_->get(sign_key(rank))));
    std::string words, silent;
    poll(kLastWordsSeconds, [&] { return !(words = last_words()).empty(); });
    if (words.empty()) silent = silent_since(before);
    if (!silent.empty()) lost(silent);
    found(words.empty() ? "the connection to another process broke: " + broken_connection : words);
  } catch (const std::exception&) {
    found(gone(0));
  }
  return problem();
}

void PeerWatch::report(const std::string& reason) {
  leave_last_words(*store_, name_of(ranks_.rank) + " ended: " + reason);
}

void PeerWatch::leave() {
  if (ranks_.rank == 0) {
    leaving_ = true;  // the others end as soon as they read it, and are not reported as lost
    store_->set(kDone, store_value("1"));
    return end(ranks_.silence_seconds);
  }
  poll(kForever, [this] { return store_->check({kDone}) || !problem().empty(); });
  if (problem().empty()) end();
}

void PeerWatch::end(double seconds) {
  store_->add(kEnded, 1);
  const int64_t present = ranks_.size - (someone_lost_ ? 1 : 0);
  if (ranks_.rank == 0) poll(seconds, [&] { return store_->add(kEnded, 0) >= present; });
}

}  // namespace ventris::distributed
