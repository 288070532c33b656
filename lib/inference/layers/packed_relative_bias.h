#pragma once
#include <cstdint>
#include <vector>

#include "architecture/relative_buckets.h"

namespace ventris::layers {

/// What the heads of self-attention add to scores, by the distance of query and key (Positions::kRelativeBias). Source:
/// as lib/modules/attention/relative_bias.h.
class RelativeBias {
 public:
  /// table [buckets, heads]
  RelativeBias(const architecture::RelativeBuckets& buckets, int64_t heads, const float* table);

  /// out [count] = the terms of a head for a query at this position and the keys 0 to count - 1.
  void write(int64_t head, int64_t query, int64_t count, float* out) const;

 private:
  int64_t reach_;  // more distant keys have the terms of this distance
  std::vector<float> terms_;  // [heads, 2 * reach_ + 1], from -reach_ on
};

}  // namespace ventris::layers
