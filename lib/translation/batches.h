#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "decoding/search.h"

namespace ventris::translation {

/// How large batches get by the settings. They get no larger than the workspace below either.
struct BatchLimits {
  int64_t sentences = 64;  ///< most sentences a batch
  int64_t tokens = 4096;   ///< most padded tokens a batch; a longer sentence is a batch of its own
};

/// The workspace: what a batch of more than one item never exceeds, whatever the settings say, so that memory and the
/// time between two looks at a stop signal stay bounded. Batches of the default settings (beam 5, 64 sentences, 4,096
/// tokens, lines of up to 1,024 tokens) are never cut by it.
inline constexpr int64_t kMostRows = 4096;        ///< hypotheses
using decoding::kMostPlaces;                      ///< hypotheses x the longest of sources and greatest targets
inline constexpr int64_t kMostTokens = 1 << 13;   ///< items x longest
inline constexpr int64_t kMostWeights = 1 << 22;  ///< items x longest x longest: of one attention head

/// What is read ahead never exceeds this either, whatever the settings say.
inline constexpr int64_t kMostWindowLines = 100'000;    ///< greatest `maxi_batch`
inline constexpr int64_t kMostWindowBytes = 16 << 20;   ///< of text
inline constexpr int64_t kMostWindowResults = 1 << 17;  ///< lines x n_best

/// Throws ConfigError naming the setting unless all are at least 1, and `window_lines`, the lines read ahead, at most
/// kMostWindowLines.
void check(const BatchLimits& limits, int64_t window_lines);

/// What is put into batches, by its size.
struct BatchItem {
  int64_t length = 0;  ///< tokens, what items are sorted by; 0 = left out
  int64_t rows = 1;    ///< hypotheses it has at a time
  int64_t target = 0;  ///< most target tokens of each
};

/// Batches of items of similar length; the batch with the earliest item first, so that output starts soon.
std::vector<std::vector<size_t>> similar_lengths(const std::vector<BatchItem>& items, const BatchLimits& limits);

/// What becomes of the items of a window.
struct WindowWork {
  /// Does the work for a batch; called on several threads at once.
  std::function<void(const std::vector<size_t>& batch, int worker)> batch;
  /// Is told of each item as soon as it is done, whether or not it is its turn; never called twice at once. May be
  /// empty.
  std::function<void(size_t item)> done = {};
  /// Takes item by item in order, each as soon as it and all before it are done; never called twice at once.
  std::function<void(size_t item)> hand_out;
};

/// Works on the batches with so many threads and hands all items out, those of length 0 without work. Throws what the
/// work throws, except Interrupted: after a signal no further batch is begun and one that is broken off does not count.
/// Returns how many items were handed out.
size_t run_window(const std::vector<BatchItem>& items, const BatchLimits& limits, int workers, const WindowWork& work);

}  // namespace ventris::translation
