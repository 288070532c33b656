#include "translation/window_batches.h"

#include <algorithm>

#include "core/error.h"
#include "core/parallel.h"
#include "core/process.h"
#include "translation/window_queue.h"

namespace ventris::translation {

namespace {

/// A batch while it grows.
struct Growing {
  int64_t items = 0, rows = 0, longest = 0;
  decoding::Load load = {};

  /// The same with one more item.
  Growing with(const BatchItem& item) const {
    return {items + 1, rows + item.rows, std::max({longest, item.length, item.target}),
            load.plus(decoding::Load::of(item.rows, item.length, item.target, item.rows))};
  }
};

/// `longest_source` is the length of the longest source; `batch.longest` also counts targets.
bool fits(const Growing& batch, int64_t longest_source, const BatchLimits& limits) {
  const int64_t tokens = batch.items * longest_source;
  return batch.items <= limits.sentences && tokens <= std::min(limits.tokens, kMostTokens) && batch.rows <= kMostRows &&
         batch.rows * batch.longest <= kMostPlaces && tokens * longest_source <= kMostWeights &&
         decoding::bytes_for(limits.needs, batch.load) <= limits.bytes;
}

}  // namespace

void check(const BatchLimits& limits, int64_t window_lines, const BatchSettings& names) {
  if (limits.sentences < 1) fail<ConfigError>(names.sentences, ": must be at least 1, got ", limits.sentences);
  if (limits.tokens < 1) fail<ConfigError>(names.tokens, ": must be at least 1, got ", limits.tokens);
  if (window_lines < 1 || window_lines > kMostWindowLines) {
    fail<ConfigError>(names.window_lines, ": must be from 1 to ", kMostWindowLines, ", got ", window_lines);
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

size_t run_window(const std::vector<BatchItem>& items, const BatchLimits& limits, int workers, const WindowWork& work,
                  int64_t most_bytes) {
  WindowQueue queue(items, limits, work, most_bytes);
  const auto process = [&](int worker) {
    if (!queue.empty()) work.lane(queue, worker);
  };
  const auto waiting =
      static_cast<size_t>(std::ranges::count_if(items, [](const auto& item) { return item.length > 0; }));
  const auto process_or_stop = [&](int worker) {
    try {
      process(worker);
    } catch (const Interrupted&) {
      queue.stop();
    } catch (...) {
      queue.stop();  // a thread may be waiting for this one
      throw;
    }
  };
  core::parallel_for(std::min(static_cast<size_t>(workers), waiting), workers,
                     [&](size_t, int worker) { process_or_stop(worker); });
  // The other threads may have had all the turns and nothing to work with, so that a lane took no item.
  if (core::stop_signal() == 0) process_or_stop(0);
  return queue.handed_out();
}

}  // namespace ventris::translation
