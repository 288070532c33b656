#include "architecture/relative_buckets.h"

#include <algorithm>
#include <cmath>

namespace ventris::architecture {
namespace {

/// In single precision, as transformers computes it: a distance at the border of two buckets must be in the same one.
int64_t bucket_of(int64_t distance, int64_t buckets, int64_t most_distance) {
  const int64_t exact = buckets / 2;
  if (distance < exact) return distance;
  const auto width = static_cast<float>(std::log(static_cast<double>(most_distance) / static_cast<double>(exact)));
  const float place = std::log(static_cast<float>(distance) / static_cast<float>(exact)) / width;
  return std::min(buckets - 1, exact + static_cast<int64_t>(place * static_cast<float>(buckets - exact)));
}

}  // namespace

std::vector<int64_t> RelativeBuckets::starts() const {
  std::vector<int64_t> starts;
  int64_t distance = 0;
  for (int64_t bucket = 1; bucket < of_direction(); ++bucket) {
    while (bucket_of(distance, of_direction(), most_distance) < bucket) ++distance;
    starts.push_back(distance);
  }
  return starts;
}

std::vector<int64_t> RelativeBuckets::of_distances() const {
  const std::vector<int64_t> first = starts();
  std::vector<int64_t> buckets;
  for (int64_t distance = -most_distance; distance <= most_distance; ++distance) {
    const bool after = distance > 0;
    const int64_t far = after && !both_directions ? 0 : std::abs(distance);
    const int64_t place = std::ranges::upper_bound(first, far) - first.begin();
    buckets.push_back(place + (after && both_directions ? of_direction() : 0));
  }
  return buckets;
}

}  // namespace ventris::architecture
