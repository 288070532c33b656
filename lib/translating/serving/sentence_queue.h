#pragma once
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace ventris::serving {

/// A sentence of a job.
struct QueuedSentence {
  uint64_t job = 0;
  size_t number = 0;  ///< in the job, from 0
};

/// The sentences of all requests that wait for a thread. A job is a request with its sentences. A lane is a model with
/// the options of a search: a thread works for one lane at a time, and the sentences of all jobs of the lane meet in
/// its batches. The jobs of a lane take turns, a sentence each, so a short request does not wait for the end of a long
/// one. So do the lanes, if there are more of them than threads.
class SentenceQueue {
 public:
  /// After so many sentences in a row, a thread leaves its lane if another one waits for a thread.
  static constexpr size_t kTurn = 256;

  /// Adds the sentences of a job, at least one. A job may be added again when all of its sentences are taken.
  void add(uint64_t job, uint64_t lane, size_t sentences);

  /// Removes the sentences of a job that still wait; how many they were.
  size_t remove(uint64_t job);

  /// Waits for a lane with sentences; none after stop().
  std::optional<uint64_t> wait_for_lane();

  /// The next sentence for a thread that works for this lane, without waiting. `working`: how many sentences it has at
  /// the moment; `taken`: how many since wait_for_lane(). None if the lane has none, if it is another lane's turn, or
  /// if a thread without work can take its share of them.
  std::optional<QueuedSentence> take(uint64_t lane, size_t working, size_t taken);

  /// How many of these sentences a thread works on at most while so many others have nothing to do.
  static size_t share(size_t sentences, size_t idle) { return (sentences + idle) / (idle + 1); }

  /// From now on, nobody waits.
  void stop();

  size_t waiting() const;  ///< sentences

 private:
  struct Job {
    uint64_t lane = 0;
    size_t next = 0, end = 0;
    std::list<uint64_t>::iterator turn = {};
  };
  struct Lane {
    std::list<uint64_t> jobs;  // the next one first
    size_t waiting = 0;        // sentences
  };

  void leave(uint64_t number, std::map<uint64_t, Lane>::iterator lane);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::unordered_map<uint64_t, Job> jobs_;
  std::map<uint64_t, Lane> lanes_;  // with sentences
  std::deque<uint64_t> turns_;      // of the lanes, the next one first
  size_t waiting_ = 0;
  size_t idle_ = 0;  // threads in wait_for_lane()
  bool stopped_ = false;
};

}  // namespace ventris::serving
