#include "layers/packed_relative_bias.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/random_numbers.h"

namespace ventris::layers {
namespace {

using architecture::RelativeBuckets;

TEST(PackedRelativeBias, ATermIsThatOfTheBucketOfTheDistanceInItsHead) {
  constexpr int64_t kHeads = 3;
  test::RandomNumbers random(1);
  for (const bool both : {true, false}) {
    const RelativeBuckets buckets{10, 20, both};
    const std::vector<int64_t> of_distances = buckets.of_distances();
    const std::vector<float> table = random.values(buckets.count * kHeads);
    const RelativeBias bias(buckets, kHeads, table.data());
    for (const int64_t query : {0, 7, 19, 45}) {
      for (int64_t head = 0; head < kHeads; ++head) {
        std::vector<float> terms(50);
        bias.write(head, query, std::ssize(terms), terms.data());
        for (int64_t key = 0; key < std::ssize(terms); ++key) {
          const int64_t distance = std::clamp<int64_t>(key - query, -20, 20);
          const int64_t bucket = of_distances[static_cast<size_t>(distance + 20)];
          ASSERT_EQ(terms[static_cast<size_t>(key)], table[static_cast<size_t>(bucket * kHeads + head)])
              << query << " " << key;
        }
      }
    }
  }
}

}  // namespace
}  // namespace ventris::layers
