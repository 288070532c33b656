#pragma once
#include <functional>
#include <future>
#include <string>

namespace ventris::run {

/// Runs saves on a separate thread during training, one at a time. A save must write copies.
class Saver {
 public:
  using Save = std::function<void()>;  ///< throws WriteError if it cannot write

  /// Waits for a running save, then starts this one and returns. A save that throws WriteError is logged and ends.
  /// Throws the exception of the earlier save if it was not a WriteError.
  void begin(const Save& save);

  /// Waits for a running save, then runs this one to its end. Throws what `save` throws.
  void save_now(const Save& save);

  /// Waits for a running save. Throws its exception if it was not a WriteError.
  void wait();

  /// Whether the last save has ended with a WriteError. Throws as wait() does.
  bool failed();

 private:
  std::future<bool> in_flight_;  // whether it could write; made by std::async, so that its destructor waits
  bool failed_ = false;
};

}  // namespace ventris::run
