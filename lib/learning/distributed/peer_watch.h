#pragma once
#include <torch/csrc/distributed/c10d/Store.hpp>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "distributed/ranks.h"

namespace ventris::distributed {

/// A text as a value in a store of LibTorch.
std::vector<uint8_t> store_value(const std::string& text);

/// Detects processes of a run that failed or are gone, with signs of life and last messages in a store that all of them
/// reach. A thread writes this process's sign every second and reads others: rank 0 those of all, all that of rank 0.
class PeerWatch {
 public:
  /// Writes a sign of life, numbered from 0. Each process writes the first one before it joins the others.
  static void give_sign(c10d::Store& store, int rank, int64_t number);

  /// `store` must be a separate connection; `machines` has the machine of each rank.
  PeerWatch(c10::intrusive_ptr<c10d::Store> store, const Ranks& ranks, std::vector<std::string> machines);
  ~PeerWatch();
  PeerWatch(const PeerWatch&) = delete;
  PeerWatch& operator=(const PeerWatch&) = delete;

  /// Why the run cannot go on; empty if it can.
  std::string problem() const;

  /// The same after a connection broke: waits some seconds for the last message of a process, or for missing signs.
  std::string reason_of(const std::string& broken_connection);

  /// Leaves a last message for the others, unless there is one already.
  void report(const std::string& reason);

  /// Call at the end. Waits until rank 0 is at the end, too, or there is a problem. Rank 0 waits until the others know.
  void leave();

  /// Call if this process ends early. Rank 0, which may own the store, waits some seconds until the others know.
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
  std::vector<std::string> seen_;  // the newest sign of each watched rank
  std::vector<int> missed_;  // checks in a row without a new sign; counted in checks because a machine may be suspended
  std::atomic<bool> someone_lost_ = false, leaving_ = false;
  mutable std::mutex mutex_;  // of what follows
  std::condition_variable wake_;
  std::string problem_;
  bool quit_ = false;
  std::thread thread_;
};

}  // namespace ventris::distributed
