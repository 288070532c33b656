#pragma once
#include <torch/csrc/distributed/c10d/Store.hpp>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "distributed/ranks.h"

namespace ventris::distributed {

/// Signs of life and last words of the processes of a run, kept in a store that all of them reach. A thread writes this
/// process's sign every second and reads those of the others: rank 0 of all, all of rank 0.
class PeerWatch {
 public:
  /// A sign of life, numbered from 0. Each process gives the first one before it meets the others.
  static void give_sign(c10d::Store& store, int rank, int64_t number);

  /// `store` is a connection of its own; `machines` by rank.
  PeerWatch(c10::intrusive_ptr<c10d::Store> store, const Ranks& ranks, std::vector<std::string> machines);
  ~PeerWatch();
  PeerWatch(const PeerWatch&) = delete;
  PeerWatch& operator=(const PeerWatch&) = delete;

  /// Why the run cannot go on; empty while all is well.
  std::string problem() const;

  /// The same when a connection broke: waits some seconds for the last words of who broke it, or for who falls silent.
  std::string reason_of(const std::string& broken_connection);

  /// Leaves last words for the others, unless there are some already.
  void report(const std::string& reason);

  /// All is done: waits until rank 0 says so too, or until there is a problem. Rank 0 waits until the others know.
  void leave();

  /// This process ends on its own account. Rank 0, who may keep the store, waits some seconds until the others know.
  void end(double seconds = 5);

  /// "rank 1 on HOST".
  std::string name_of(int rank) const;

 private:
  void loop();
  void look();
  std::vector<std::string> signs();
  std::string last_words();
  std::string silent_since(const std::vector<std::string>& before);
  std::string gone(int rank) const;
  void found(const std::string& problem);
  void lost(const std::string& problem);

  c10::intrusive_ptr<c10d::Store> store_;
  Ranks ranks_;
  std::vector<std::string> machines_;
  std::vector<std::string> seen_;  // the newest sign of each rank that is watched
  std::vector<int> missed_;        // how often in a row it was the same: time in which all sleep does not count
  std::atomic<bool> someone_lost_ = false, leaving_ = false;
  mutable std::mutex mutex_;  // of what follows
  std::condition_variable wake_;
  std::string problem_;
  bool quit_ = false;
  std::thread thread_;
};

}  // namespace ventris::distributed
