#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "decoding/memory_needs.h"
#include "decoding/search.h"

namespace ventris::translation {

/// The limits of batches in the settings. The limits below also apply.
struct BatchLimits {
  int64_t sentences = 64;  ///< maximum sentences per batch
  int64_t tokens = 4096;   ///< maximum padded tokens per batch; a longer sentence gets its own batch
  int64_t bytes = std::numeric_limits<int64_t>::max();  ///< maximum memory of a batch, as `needs` estimates it
  decoding::MemoryNeeds needs = {};
};

/// Limits of batches with more than one item, independent of the settings. They limit memory and the time between two
/// checks of the stop signal. With the default settings (beam 5, 64 sentences, 4,096 tokens, lines of up to 1,024
/// tokens), no batch is split because of them.
inline constexpr int64_t kMostRows = 4096;        ///< hypotheses
using decoding::kMostPlaces;                      ///< hypotheses x longest source or maximum target length
inline constexpr int64_t kMostTokens = 1 << 13;   ///< items x longest
inline constexpr int64_t kMostWeights = 1 << 22;  ///< items x longest x longest: weights of one attention head

/// The limits of what is read ahead, independent of the settings.
inline constexpr int64_t kMostWindowLines = 100'000;    ///< maximum of `maxi_batch`
inline constexpr int64_t kMostWindowBytes = 16 << 20;   ///< of text
inline constexpr int64_t kMostWindowResults = 1 << 17;  ///< lines x n_best

/// What a watcher learns of a line, of a sentence of a line, or of a pair, when it is done.
struct DoneLine {
  int64_t bytes = 0;      ///< Request::bytes; 0 = another sentence of this line has them
  int64_t sentences = 0;  ///< that the model translated or scored; 0 for a blank line
  int64_t tokens = 0;     ///< of their targets, with eos
};

/// How a message names the settings of batches.
struct BatchSettings {
  const char* sentences = "mini_batch";
  const char* tokens = "mini_batch_words";
  const char* window_lines = "maxi_batch";
};

/// Throws ConfigError with the setting unless all are at least 1, and `window_lines`, the lines read ahead, at most
/// kMostWindowLines.
void check(const BatchLimits& limits, int64_t window_lines, const BatchSettings& names = {});

/// The size of an item that is put into a batch.
struct BatchItem {
  int64_t length = 0;  ///< in tokens; items are sorted by it; 0 = left out
  int64_t rows = 1;    ///< hypotheses at the same time
  int64_t target = 0;  ///< maximum target tokens of each hypothesis
  int64_t result_bytes = 0;  ///< an upper bound of the memory of its results
};

/// Makes batches of items of similar length. The batch with the earliest item comes first, so that output starts soon.
std::vector<std::vector<size_t>> similar_lengths(const std::vector<BatchItem>& items, const BatchLimits& limits);

class WindowQueue;

/// How the items of a window are processed.
struct WindowWork {
  /// Takes items from the queue, processes them and finishes them, until the queue is empty; called on several threads
  /// at the same time, by the calling thread with worker 0.
  std::function<void(WindowQueue& queue, int worker)> lane;
  /// Called for each item as soon as it is done, in any order; never called twice at the same time. May be
  /// empty.
  std::function<void(size_t item)> done = {};
  /// Called for each item in order, once it and all earlier ones are done; never called twice at the same time.
  std::function<void(size_t item)> hand_out;
};

/// Processes the items on several threads and passes on all items, including those of length 0, which are not
/// processed. Rethrows exceptions, except Interrupted: after a signal, no further batch is begun, and an interrupted
/// one does not count. Returns how many items were passed on. Results that wait for earlier ones take at most about
/// `most_bytes`, unless items are taken in batches.
size_t run_window(const std::vector<BatchItem>& items, const BatchLimits& limits, int workers, const WindowWork& work,
                  int64_t most_bytes = std::numeric_limits<int64_t>::max());

}  // namespace ventris::translation
