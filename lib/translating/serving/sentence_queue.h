#pragma once
#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>

namespace ventris::serving {

/// A sentence of a job.
struct QueuedSentence {
  uint64_t job = 0;
  size_t number = 0;  ///< in the job, from 0
  bool is_long = false;
};

/// What a thread works on.
struct Workload {
  size_t sentences = 0;  ///< at the moment
  size_t long_ones = 0;  ///< of them
  size_t taken = 0;      ///< since wait_for_lane()
  bool only_short = false;  ///< it may not take long ones
};

/// The sentences of all requests that wait for a thread. A job is a request with its sentences. A lane is a model with
/// the options of a search: a thread works for one lane at a time, and the sentences of all jobs of the lane meet in
/// its batches. The jobs of a lane take turns, a sentence each, so a short request does not wait for the end of a long
/// one. So do the lanes, if there are more of them than threads. Long sentences stay in the search for many steps, so
/// they never get all the places of a thread, and have turns of their own.
class SentenceQueue {
 public:
  /// After so many sentences in a row, a thread leaves its lane if another one waits for a thread.
  static constexpr size_t kTurn = 256;
  /// A sentence with more bytes is long; a thread works on so many of them at most.
  static constexpr size_t kLongBytes = 512;
  static constexpr size_t kMostLong = 2;

  /// Adds the sentences of a job, at least one; `bytes` are their lengths. A job may be added again when all of its
  /// sentences are taken. If there is no memory for all of them, none is added.
  void add(uint64_t job, uint64_t lane, std::span<const size_t> bytes);

  /// Removes the sentences of a job that still wait; how many they were.
  size_t remove(uint64_t job);

  /// Waits for a lane with sentences; none after stop().
  std::optional<uint64_t> wait_for_lane();

  /// The next sentence for a thread that works for this lane, without waiting. None if the lane has none that the
  /// thread may take, if it is another lane's turn, or if a thread without work can take its share of them. A thread
  /// that has no sentence always gets one, if there are any.
  std::optional<QueuedSentence> take(uint64_t lane, const Workload& work);

  /// Another lane than this one with short sentences, while no thread has nothing to do. A thread whose search has long
  /// sentences does the short ones of another lane between two steps.
  std::optional<uint64_t> lane_to_visit(uint64_t lane);

  /// How many of these sentences a thread works on at most while so many others have nothing to do.
  static size_t share(size_t sentences, size_t idle) { return (sentences + idle) / (idle + 1); }

  /// From now on, nobody waits.
  void stop();

  size_t waiting() const;  ///< sentences

 private:
  /// The sentences of a job that are short, or those that are long.
  struct Part {
    uint64_t job = 0;
    std::deque<size_t> sentences = {};
  };
  using Ring = std::list<Part>;  // the next one first
  struct Lane {
    std::array<Ring, 2> rings;  // of short and of long sentences
    size_t waiting = 0;         // sentences
    bool long_next = false;     // whose turn it is
  };
  struct Job {
    uint64_t lane = 0;
    std::array<std::optional<Ring::iterator>, 2> parts = {};
  };
  using Lanes = std::map<uint64_t, Lane>;

  static std::array<Ring, 2> parts_of(uint64_t job, std::span<const size_t> bytes);
  Job& make_place(uint64_t job, uint64_t lane);
  void drop_part(std::unordered_map<uint64_t, Job>::iterator job, size_t ring);
  void drop_if_empty(Lanes::iterator lane);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::unordered_map<uint64_t, Job> jobs_;  // with sentences
  Lanes lanes_;                             // with sentences
  std::deque<uint64_t> turns_;              // of the lanes, the next one first
  size_t waiting_ = 0;
  size_t idle_ = 0;  // threads in wait_for_lane()
  bool stopped_ = false;
};

}  // namespace ventris::serving
