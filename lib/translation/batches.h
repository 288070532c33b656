#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace ventris::translation {

/// How large batches get.
struct BatchLimits {
  int64_t sentences = 64;  ///< most sentences a batch
  int64_t tokens = 4096;   ///< most padded tokens a batch; a longer sentence is a batch of its own
};

/// Throws ConfigError naming the setting unless all are at least 1. `window_lines`: lines read ahead.
void check(const BatchLimits& limits, int64_t window_lines);

/// Batches of items of similar length (in tokens; 0 = left out); the batch with the earliest item first, so that output
/// starts soon.
std::vector<std::vector<size_t>> similar_lengths(const std::vector<int64_t>& lengths, const BatchLimits& limits);

/// What becomes of the items of a window.
struct WindowWork {
  /// Does the work for a batch; called on several threads at once.
  std::function<void(const std::vector<size_t>& batch, int worker)> batch;
  /// Takes item by item in order, each as soon as it and all before it are done; never called twice at once.
  std::function<void(size_t item)> hand_out;
};

/// Works on the batches with so many threads and hands all items out, those of length 0 without work. Throws what the
/// work throws. After a signal no further batch is begun; returns how many items were handed out.
size_t run_window(const std::vector<int64_t>& lengths, const BatchLimits& limits, int workers, const WindowWork& work);

}  // namespace ventris::translation
