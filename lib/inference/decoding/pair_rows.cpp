#include "decoding/pair_rows.h"

#include <numeric>
#include <utility>

namespace ventris::decoding {

PairRows::PairRows(std::span<const Pair> pairs) : pairs_(pairs), pair_of_row_(pairs.size()) {
  std::iota(pair_of_row_.begin(), pair_of_row_.end(), size_t{0});
}

std::vector<std::span<const int32_t>> PairRows::sources() const {
  std::vector<std::span<const int32_t>> sources;
  for (const Pair& pair : pairs_) sources.push_back(pair.source);
  return sources;
}

bool PairRows::follow(size_t position, int32_t bos, int32_t eos) {
  parents_.clear();
  last_ids_.clear();
  next_ids_.clear();
  std::vector<size_t> kept;
  for (size_t row = 0; row < pair_of_row_.size(); ++row) {
    const Pair& pair = pairs_[pair_of_row_[row]];
    if (position >= pair.tokens()) continue;
    parents_.push_back(static_cast<int32_t>(row));
    last_ids_.push_back(position == 0 ? bos : pair.target[position - 1]);
    next_ids_.push_back(position < pair.target.size() ? pair.target[position] : eos);
    kept.push_back(pair_of_row_[row]);
  }
  pair_of_row_ = std::move(kept);
  return !pair_of_row_.empty();
}

void each_group(std::span<const Pair> pairs, const std::function<void(size_t first, size_t count)>& use,
                size_t most_tokens) {
  for (size_t first = 0, end = 0; first < pairs.size(); first = end) {
    for (size_t tokens = 0; end < pairs.size(); ++end) {
      tokens += pairs[end].source.size() + pairs[end].tokens();
      if (end > first && tokens > most_tokens) break;
    }
    use(first, end - first);
  }
}

}  // namespace ventris::decoding
