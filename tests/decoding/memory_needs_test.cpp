#include "decoding/memory_needs.h"

#include <gtest/gtest.h>

namespace ventris::decoding {
namespace {

TEST(Load, OfTwoSentencesIsTheirSumAndTheLongest) {
  const Load both = Load::of(2, 10, 30, 1).plus(Load::of(4, 5, 7, 3));
  EXPECT_EQ(both.sentences, 2);
  EXPECT_EQ(both.rows, 6);
  EXPECT_EQ(both.source_tokens, 15);
  EXPECT_EQ(both.source_places, 2 * 10 + 4 * 5);
  EXPECT_EQ(both.places, 2 * 30 + 4 * 7);
  EXPECT_EQ(both.results, 30 + 3 * 7);
  EXPECT_EQ(both.longest_source, 10);
  EXPECT_EQ(both.longest_target, 30);
}

TEST(Load, CoveringTwoHasTheLargerOfEachNumber) {
  const Load covering = Load::of(2, 10, 3, 1).covering(Load::of(4, 5, 7, 1));
  EXPECT_EQ(covering.sentences, 1);
  EXPECT_EQ(covering.rows, 4);
  EXPECT_EQ(covering.source_tokens, 10);
  EXPECT_EQ(covering.places, 28);
  EXPECT_EQ(covering.longest_target, 7);
}

TEST(BytesFor, CountsEachPartOnce) {
  const Load load = Load::of(2, 10, 30, 1).plus(Load::of(4, 5, 7, 3));
  EXPECT_EQ(bytes_for({}, load), 0);
  EXPECT_EQ(bytes_for({.fixed = 9}, load), 9);
  EXPECT_EQ(bytes_for({.sentence = 1}, load), 2);
  EXPECT_EQ(bytes_for({.source_token = 1}, load), 15);
  EXPECT_EQ(bytes_for({.source_place = 1}, load), 40);
  EXPECT_EQ(bytes_for({.place = 1}, load), 88);
  EXPECT_EQ(bytes_for({.result = 1}, load), 51);
  EXPECT_EQ(bytes_for({.searched = 1}, load), 40);
  EXPECT_EQ(bytes_for({.row = 1}, load), 6);
  EXPECT_EQ(bytes_for({.table = 1}, load), 6 * 30);
  EXPECT_EQ(bytes_for({.longest = 1}, load), 30);
  EXPECT_EQ(bytes_for({.weight = 1}, load), 88 * 30);
  EXPECT_EQ(bytes_for({.encoded_token = 1, .encoded_together = 12}, load), 12);
  EXPECT_EQ(bytes_for({.encoded_weight = 1, .encoded_together = 3}, load), 100) << "a sentence is encoded as a whole";
  EXPECT_EQ(bytes_for({.source_token = 1, .pads_sources = true}, load), 20);
  EXPECT_EQ(bytes_for({.source_place = 1, .pads_sources = true}, load), 60);
  EXPECT_EQ(bytes_for({.place = 1, .pads_targets = true}, load), 180);
}

TEST(MemoryNeeds, HypothesesOfOneRowTakeWhatOneTakes) {
  const Load load = Load::of(3, 10, 30, 1).plus(Load::of(3, 5, 7, 3));
  const auto bytes = [&](MemoryNeeds needs) {
    needs.one_row = true;
    return bytes_for(needs, load);
  };
  EXPECT_EQ(bytes({.row = 1}), 2);
  EXPECT_EQ(bytes({.place = 1}), 37);
  EXPECT_EQ(bytes({.source_place = 1}), 15);
  EXPECT_EQ(bytes({.searched = 1}), 45);
  EXPECT_EQ(bytes({.result = 1}), 51);
}

TEST(LongestWithin, IsTheLongestThatFits) {
  const MemoryNeeds needs{.fixed = 100, .source_token = 10, .place = 7};
  for (const int64_t rows : {1, 5}) {
    for (const int64_t bytes : {99, 100, 116, 117, 5000, 123'456}) {
      const int64_t longest = longest_within(bytes, needs, rows, 1, 1'000'000);
      EXPECT_EQ(longest, std::max<int64_t>(bytes - 100, 0) / (10 + 7 * rows));
    }
  }
  EXPECT_EQ(longest_within(1 << 30, needs, 5, 1, 1024), 1024) << "the model's maximum";
  EXPECT_EQ(longest_within(1 << 30, {}, 5, 1, 1024), 1024) << "nothing is known";
}

TEST(Fits, EveryLimitCounts) {
  const Load load = Load::of(2, 10, 30, 1).plus(Load::of(4, 5, 7, 3));
  const MemoryNeeds needs{.place = 1};
  const DecodeLimits limits{.sentences = 2, .tokens = 15, .rows = 6, .bytes = 88};
  const auto with = [&](auto member, int64_t value) {
    DecodeLimits changed = limits;
    changed.*member = value;
    return changed;
  };
  EXPECT_TRUE(fits(load, needs, limits));
  EXPECT_FALSE(fits(load, needs, with(&DecodeLimits::sentences, 1)));
  EXPECT_FALSE(fits(load, needs, with(&DecodeLimits::tokens, 14)));
  EXPECT_FALSE(fits(load, needs, with(&DecodeLimits::rows, 5)));
  EXPECT_FALSE(fits(load, needs, with(&DecodeLimits::bytes, 87)));
  EXPECT_FALSE(fits(load, {.place = 1, .pads_sources = true}, limits)) << "20 padded tokens";
}

}  // namespace
}  // namespace ventris::decoding
