#pragma once
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "translation/window_batches.h"

namespace ventris::translation {

/// The items of a window, which several threads process: which of them wait, which are done, and how much memory the
/// results take that wait for earlier ones. Items of length 0 are done from the beginning.
class WindowQueue {
 public:
  /// Keeps references to all. `most_bytes` limits the results: those of items that are taken (BatchItem::result_bytes)
  /// and those that wait to be handed out.
  WindowQueue(const std::vector<BatchItem>& items, const BatchLimits& limits, const WindowWork& work,
              int64_t most_bytes);

  /// Takes the batches, one after the other, and finishes each after process(batch), until there are no more or a stop
  /// signal arrives.
  void each_batch(const std::function<void(const std::vector<size_t>& batch)>& process);

  /// The next item in the order of the batches, if accept(item) returns true; none if it does not, or at the end. If
  /// too many results wait, the item comes from the beginning of the window, and only if the caller is `idle` (has
  /// nothing else to do); if another thread works on an earlier item, it waits for that.
  std::optional<size_t> take_item(bool idle, const std::function<bool(size_t item)>& accept);

  /// Hands out all items that are done and next in order; `bytes` is how much memory the results of these items take.
  /// Rethrows what WindowWork::hand_out throws; then no more items are handed out.
  void finish(std::span<const size_t> items, int64_t bytes = 0);

  /// After an exception or a signal: no more items are taken.
  void stop();

  bool empty();  ///< whether no item waits to be taken
  size_t handed_out() const { return next_out_; }

 private:
  const std::vector<size_t>* take_batch();
  void skip_taken();
  bool too_full(size_t item) const;
  void hand_out();

  const std::vector<BatchItem>& items_;
  const WindowWork& work_;
  const int64_t most_bytes_;
  std::vector<std::vector<size_t>> batches_;
  std::vector<size_t> order_;  // the items of all batches
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<char> taken_, done_;
  std::vector<int64_t> bytes_;  // of each item that was taken and not handed out
  size_t next_batch_ = 0, next_in_order_ = 0, first_waiting_ = 0, next_out_ = 0;
  int64_t held_ = 0;  // the sum of bytes_
  bool stopped_ = false, failed_ = false;
};

}  // namespace ventris::translation
