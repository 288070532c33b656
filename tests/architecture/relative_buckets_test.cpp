#include "architecture/relative_buckets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace ventris::architecture {
namespace {

TEST(RelativeBuckets, ThoseOfT5AreOneDistanceEachAndThenMoreAndMore) {
  const RelativeBuckets decoder = RelativeBuckets::of_decoder({});
  // From transformers: T5Attention._relative_position_bucket(-d, bidirectional=False, num_buckets=32,
  // max_distance=128).
  EXPECT_EQ(decoder.starts(), (std::vector<int64_t>{1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
                                                    19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113}));
  const RelativeBuckets encoder = RelativeBuckets::of_encoder({});
  EXPECT_EQ(encoder.starts(), (std::vector<int64_t>{1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91}));
}

TEST(RelativeBuckets, KeysAfterTheQueryHaveTheSecondHalfOrNone) {
  const RelativeBuckets both{8, 5, true}, causal{8, 5, false};
  EXPECT_EQ(both.of_distances(), (std::vector<int64_t>{3, 3, 2, 2, 1, 0, 5, 6, 6, 7, 7}));
  EXPECT_EQ(causal.of_distances(), (std::vector<int64_t>{7, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0}));
}

TEST(RelativeBuckets, AllDistancesAreInABucketAndFartherOnesInNoEarlierOne) {
  for (const int64_t count : {4, 6, 10, 32, 64}) {
    for (const int64_t most : {count / 2 + 1, count, int64_t{200}}) {
      for (const bool both : {true, false}) {
        const RelativeBuckets buckets{count, most, both};
        const std::vector<int64_t> starts = buckets.starts();
        ASSERT_EQ(std::ssize(starts), buckets.of_direction() - 1);
        EXPECT_TRUE(std::is_sorted(starts.begin(), starts.end()));
        EXPECT_LE(starts.back(), most);
        for (const int64_t bucket : buckets.of_distances()) EXPECT_TRUE(bucket >= 0 && bucket < count);
      }
    }
  }
}

TEST(RelativeBuckets, TheSettingsOfAModelSayHowManyThereAre) {
  TransformerOptions options;
  EXPECT_EQ(RelativeBuckets::of_encoder(options).count, 32);
  EXPECT_EQ(RelativeBuckets::of_decoder(options).most_distance, 128);
  options.relative_buckets = 6;
  options.relative_max_distance = 9;
  EXPECT_EQ(RelativeBuckets::of_encoder(options).of_direction(), 3);
  EXPECT_EQ(RelativeBuckets::of_decoder(options).of_direction(), 6);
  EXPECT_EQ(RelativeBuckets::of_decoder(options).most_distance, 9);
}

}  // namespace
}  // namespace ventris::architecture
