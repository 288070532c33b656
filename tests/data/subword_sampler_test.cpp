#include "data/subword_sampler.h"

#include <gtest/gtest.h>

#include <set>

#include "support/tiny_text.h"

namespace ventris::data {
namespace {

const std::string kText = "The old man is waiting for the bridge.";

class SubwordSampling : public testing::TestWithParam<text::TokenizerKind> {
 protected:
  SentencePair pair() const {
    const auto ids = tokenizer.encode(kText);
    return {ids, ids, kText, kText};
  }
  SentencePair drawn(const SamplingOptions& how, uint64_t number, uint64_t epoch) const {
    SentencePair result = pair();
    SubwordSampler(tokenizer, tokenizer, how).redraw(result, number, 0, epoch);
    return result;
  }

  text::Tokenizer tokenizer = test::tiny_tokenizer(GetParam());
  SamplingOptions options{0.3};
};

TEST_P(SubwordSampling, ADrawIsDecidedByItsPlaceAlone) {
  const SentencePair fifth = drawn(options, 7, 5);
  drawn(options, 8, 0);
  EXPECT_EQ(drawn(options, 7, 5).source, fifth.source);
  EXPECT_EQ(drawn(options, 7, 5).target, fifth.target);
}

TEST_P(SubwordSampling, EpochsPairsSidesAndSeedsDrawDifferently) {
  std::set<std::vector<int32_t>> by_epoch, by_pair, by_seed;
  int equal_sides = 0;
  for (uint64_t i = 0; i < 20; ++i) {
    const SentencePair epoch = drawn(options, 7, i);
    equal_sides += epoch.source == epoch.target;
    by_epoch.insert(epoch.source);
    by_pair.insert(drawn(options, i, 0).source);
    SamplingOptions other = options;
    other.seed = i;
    by_seed.insert(drawn(other, 7, 0).source);
  }
  EXPECT_GT(by_epoch.size(), 10U);
  EXPECT_GT(by_pair.size(), 10U);
  EXPECT_GT(by_seed.size(), 10U);
  EXPECT_LT(equal_sides, 10);
}

TEST_P(SubwordSampling, EveryDrawDecodesToTheSameText) {
  for (uint64_t epoch = 0; epoch < 50; ++epoch) {
    const SentencePair result = drawn(options, 3, epoch);
    EXPECT_EQ(tokenizer.decode(result.source), kText);
    EXPECT_EQ(tokenizer.decode(result.target), kText);
  }
}

TEST_P(SubwordSampling, OnlyTheSidesAskedForAreRedrawn) {
  options.source = false;
  int redrawn = 0;
  for (uint64_t epoch = 0; epoch < 20; ++epoch) {
    const SentencePair result = drawn(options, 1, epoch);
    EXPECT_EQ(result.source, pair().source);
    redrawn += result.target != pair().target;
  }
  EXPECT_GT(redrawn, 5);
}

TEST_P(SubwordSampling, ADrawThatIsTooLongLeavesTheIdsAsTheyWere) {
  options.max_length = static_cast<int64_t>(pair().source.size());
  options.alpha = GetParam() == text::TokenizerKind::kBpe ? 1 : 0;  // as many pieces as can be
  for (uint64_t epoch = 0; epoch < 20; ++epoch) {
    EXPECT_LE(drawn(options, 1, epoch).source.size(), pair().source.size());
  }
}

TEST_P(SubwordSampling, ATagStaysInItsPlace) {
  for (uint64_t epoch = 0; epoch < 20; ++epoch) {
    SentencePair tagged = pair();
    tagged.source.insert(tagged.source.begin(), {90, 91});
    SubwordSampler(tokenizer, tokenizer, options).redraw(tagged, 1, 2, epoch);
    EXPECT_EQ(tagged.source[0], 90);
    EXPECT_EQ(tagged.source[1], 91);
    EXPECT_EQ(tokenizer.decode(std::vector<int32_t>(tagged.source.begin() + 2, tagged.source.end())), kText);
  }
}

TEST_P(SubwordSampling, ASideWithoutTextIsNotRedrawn) {
  SentencePair bare = pair();
  bare.source_text.clear();
  SubwordSampler(tokenizer, tokenizer, options).redraw(bare, 1, 0, 3);
  EXPECT_EQ(bare.source, pair().source);
}

INSTANTIATE_TEST_SUITE_P(Kinds, SubwordSampling,
                         testing::Values(text::TokenizerKind::kUnigram, text::TokenizerKind::kBpe));

}  // namespace
}  // namespace ventris::data
