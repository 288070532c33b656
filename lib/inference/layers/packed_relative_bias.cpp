#include "layers/packed_relative_bias.h"

#include <algorithm>

namespace ventris::layers {

RelativeBias::RelativeBias(const architecture::RelativeBuckets& buckets, int64_t heads, const float* table)
    : reach_(buckets.most_distance) {
  const std::vector<int64_t> of_distances = buckets.of_distances();
  for (int64_t head = 0; head < heads; ++head) {
    for (const int64_t bucket : of_distances) terms_.push_back(table[bucket * heads + head]);
  }
}

void RelativeBias::write(int64_t head, int64_t query, int64_t count, float* out) const {
  const float* terms = terms_.data() + head * (2 * reach_ + 1) + reach_;
  for (int64_t key = 0; key < count; ++key) out[key] = terms[std::clamp(key - query, -reach_, reach_)];
}

}  // namespace ventris::layers
