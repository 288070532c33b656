#include "decoding/pair_scorer.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "support/errors.h"

namespace ventris::decoding {
namespace {

const std::vector<int32_t> kSource{4, 5, 6}, kTarget{7, 8};

void check(const Pair& pair, const PairQuestion& question = {}) {
  check_pairs(std::span(&pair, 1), question, {.layers = 2, .heads = 4}, 3);
}

TEST(CheckPairs, LengthsCountTheEosThatFollows) {
  EXPECT_NO_THROW(check({kSource, kTarget}));
  EXPECT_NO_THROW(check({kSource, kSource, false}));
  EXPECT_FAILS(check({kSource, kSource}), std::invalid_argument, "a pair is longer than the model allows");
  EXPECT_FAILS(check({{}, kTarget}), std::invalid_argument, "a source has no tokens");
}

TEST(CheckPairs, AttentionMustBeThere) {
  EXPECT_NO_THROW(check({kSource, kTarget}, {.attention = true, .layer = 1, .head = 3}));
  EXPECT_NO_THROW(check({kSource, kTarget}, {.layer = 9}));  // nobody asks for it
  EXPECT_FAILS(check({kSource, kTarget}, {.attention = true, .layer = 2}), std::invalid_argument,
               "no attention of layer 2, head -1");
  EXPECT_FAILS(check({kSource, kTarget}, {.attention = true, .head = 4}), std::invalid_argument, "layer 0, head 4");
}

}  // namespace
}  // namespace ventris::decoding
