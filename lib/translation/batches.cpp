#include "translation/batches.h"

#include <algorithm>
#include <mutex>

#include "core/error.h"
#include "core/parallel.h"
#include "core/process.h"

namespace ventris::translation {

namespace {

/// A batch while it grows.
struct Growing {
  int64_t items = 0, rows = 0, longest = 0;

  /// The same with one more item.
  Growing with(const BatchItem& item) const {
    return {items + 1, rows + item.rows, std::max({longest, item.length, item.target})};
  }
};

/// `longest_source` is the length of the longest source; `batch.longest` also counts targets.
bool fits(const Growing& batch, int64_t longest_source, const BatchLimits& limits) {
  const int64_t tokens = batch.items * longest_source;
  return batch.items <= limits.sentences && tokens <= std::min(limits.tokens, kMostTokens) && batch.rows <= kMostRows &&
         batch.rows * batch.longest <= kMostPlaces && tokens * longest_source <= kMostWeights;
}

}  // namespace

void check(const BatchLimits& limits, int64_t window_lines) {
  if (limits.sentences < 1) fail<ConfigError>("mini_batch: must be at least 1, got ", limits.sentences);
  if (limits.tokens < 1) fail<ConfigError>("mini_batch_words: must be at least 1, got ", limits.tokens);
  if (window_lines < 1 || window_lines > kMostWindowLines) {
    fail<ConfigError>("maxi_batch: must be from 1 to ", kMostWindowLines, ", got ", window_lines);
  }
}

std::vector<std::vector<size_t>> similar_lengths(const std::vector<BatchItem>& items, const BatchLimits& limits) {
  std::vector<size_t> order;
  for (size_t i = 0; i < items.size(); ++i) {
    if (items[i].length > 0) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return items[a].length < items[b].length; });
  std::vector<std::vector<size_t>> batches;
  Growing newest;
  for (const size_t i : order) {  // lengths rise: the newest item is the longest of its batch
    Growing grown = newest.with(items[i]);
    if (batches.empty() || !fits(grown, items[i].length, limits)) {
      batches.emplace_back();
      grown = Growing().with(items[i]);
    }
    batches.back().push_back(i);
    newest = grown;
  }
  const auto earliest = [](const std::vector<size_t>& batch) { return *std::min_element(batch.begin(), batch.end()); };
  std::sort(batches.begin(), batches.end(), [&](const auto& a, const auto& b) { return earliest(a) < earliest(b); });
  return batches;
}

size_t run_window(const std::vector<BatchItem>& items, const BatchLimits& limits, int workers, const WindowWork& work) {
  std::mutex mutex;
  std::vector<char> done(items.size());
  size_t next = 0;
  const auto finish = [&](size_t item) {
    done[item] = 1;
    if (work.done) work.done(item);
  };
  bool failed = false;  // stays true if work.hand_out() throws: then no other worker hands out items
  const auto hand_out = [&] {
    if (failed) return;
    failed = true;
    for (; next < done.size() && done[next] != 0; ++next) work.hand_out(next);
    failed = false;
  };
  for (size_t i = 0; i < items.size(); ++i) {
    if (items[i].length == 0) finish(i);
  }
  hand_out();
  const auto batches = similar_lengths(items, limits);
  core::parallel_for(batches.size(), workers, [&](size_t i, int worker) {
    if (core::stop_signal() != 0) return;
    try {
      work.batch(batches[i], worker);
    } catch (const Interrupted&) {
      return;
    }
    const std::lock_guard lock(mutex);
    for (const size_t item : batches[i]) finish(item);
    hand_out();
  });
  return next;
}

}  // namespace ventris::translation
