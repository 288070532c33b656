#pragma once
#include <functional>
#include <future>
#include <string>

namespace ventris::run {

/// Has saves written by a thread of its own while training goes on, one at a time. What a save writes must be a copy.
class Saver {
 public:
  using Save = std::function<void()>;  ///< throws WriteError if it cannot write

  /// Waits for a save that is in flight, then begins this one and returns. A save that cannot write says so in the log
  /// and is over. Throws what ended the earlier save, if that was no WriteError.
  void begin(Save save);

  /// Waits for a save that is in flight, then does this one: when it returns, all is written. Throws what `save` does.
  void save_now(const Save& save);

  /// Waits until no save is in flight. Throws what ended it, if that was no WriteError.
  void wait();

  /// Whether the last save is over and could not write. Throws as wait() does.
  bool failed();

 private:
  std::future<bool> in_flight_;  // whether it wrote; of std::async, so that its destruction waits
  bool failed_ = false;
};

}  // namespace ventris::run
