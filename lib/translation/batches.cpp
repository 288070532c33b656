#include "translation/batches.h"

#include <algorithm>
#include <mutex>

#include "core/error.h"
#include "core/parallel.h"
#include "core/process.h"

namespace ventris::translation {

void check(const BatchLimits& limits, int64_t window_lines) {
  if (limits.sentences < 1) fail<ConfigError>("mini_batch: must be at least 1, got ", limits.sentences);
  if (limits.tokens < 1) fail<ConfigError>("mini_batch_words: must be at least 1, got ", limits.tokens);
  if (window_lines < 1) fail<ConfigError>("maxi_batch: must be at least 1, got ", window_lines);
}

std::vector<std::vector<size_t>> similar_lengths(const std::vector<int64_t>& lengths, const BatchLimits& limits) {
  std::vector<size_t> order;
  for (size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] > 0) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return lengths[a] < lengths[b]; });
  std::vector<std::vector<size_t>> batches;
  for (const size_t i : order) {  // lengths rise: the newest item is the longest of its batch
    const auto items = batches.empty() ? 0 : static_cast<int64_t>(batches.back().size());
    const bool fits = items > 0 && items < limits.sentences && (items + 1) * lengths[i] <= limits.tokens;
    if (!fits) batches.emplace_back();
    batches.back().push_back(i);
  }
  const auto earliest = [](const std::vector<size_t>& batch) { return *std::min_element(batch.begin(), batch.end()); };
  std::sort(batches.begin(), batches.end(), [&](const auto& a, const auto& b) { return earliest(a) < earliest(b); });
  return batches;
}

size_t run_window(const std::vector<int64_t>& lengths, const BatchLimits& limits, int workers, const WindowWork& work) {
  std::mutex mutex;
  std::vector<char> done(lengths.size());
  for (size_t i = 0; i < lengths.size(); ++i) done[i] = lengths[i] == 0;
  size_t next = 0;
  const auto hand_out = [&] {
    for (; next < done.size() && done[next] != 0; ++next) work.hand_out(next);
  };
  hand_out();
  const auto batches = similar_lengths(lengths, limits);
  core::parallel_for(batches.size(), workers, [&](size_t i, int worker) {
    if (core::stop_signal() != 0) return;
    work.batch(batches[i], worker);
    const std::lock_guard lock(mutex);
    for (const size_t item : batches[i]) done[item] = 1;
    hand_out();
  });
  return next;
}

}  // namespace ventris::translation
