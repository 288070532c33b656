#include "data/pair_store.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::data {
namespace {

SentencePair plain(std::vector<int32_t> source, std::vector<int32_t> target) {
  return {std::move(source), std::move(target), "", ""};
}

StoreSummary summary_of(const std::vector<SentencePair>& pairs) {
  StoreSummary summary;
  for (const SentencePair& pair : pairs) summary.add(pair);
  return summary;
}

TEST(StoreSummary, CountsWhatItIsGiven) {
  StoreSummary summary;
  summary.begin_part(2);
  summary.add(plain({1, 2, 3}, {4}));
  summary.begin_part(0);
  summary.add(plain({1}, {4, 5}));
  EXPECT_EQ(summary.pairs(), 2U);
  EXPECT_EQ(summary.parts.size(), 2U);
  EXPECT_EQ(summary.parts[0].tag_tokens, 2U);
  EXPECT_EQ(summary.source_tokens, 4);
  EXPECT_EQ(summary.target_tokens, 3);
  EXPECT_EQ(summary.longest, 3U);
  EXPECT_FALSE(summary.weighted);
}

TEST(StoreSummary, KnowsTheCorpusOfEachPair) {
  StoreSummary summary;
  for (const uint32_t tag_tokens : {2U, 0U, 1U}) {
    summary.begin_part(tag_tokens);
    for (uint32_t i = 0; i < tag_tokens; ++i) summary.add(plain({1}, {2}));
  }
  for (const uint64_t pair : {uint64_t{0}, uint64_t{1}}) {
    EXPECT_EQ(summary.place_of(pair).tag_tokens, 2U);
    EXPECT_EQ(summary.place_of(pair).corpus_end, 2U);
  }
  EXPECT_EQ(summary.place_of(2).tag_tokens, 1U);
  EXPECT_EQ(summary.place_of(2).corpus_end, 3U);
  EXPECT_THROW(summary.place_of(3), std::out_of_range);
}

TEST(StoreSummary, MorePairsThanCanBeNumberedAreRefused) {
  StoreSummary summary;
  summary.begin_part(0);
  summary.parts[0].pairs = kMostPairs - 1;
  summary.begin_part(0);
  summary.add(plain({1}, {2}));
  EXPECT_FAILS(summary.add(plain({1}, {2})), DataError, "the corpora have more than 4294967295 pairs");
  EXPECT_EQ(summary.pairs(), kMostPairs);
}

TEST(StoreSummary, TheChecksumSeesEveryChange) {
  const std::vector<std::vector<SentencePair>> all{{plain({1, 2}, {3})},
                                                   {plain({1}, {2, 3})},
                                                   {plain({1, 2}, {4})},
                                                   {plain({2, 1}, {3})},
                                                   {plain({1}, {3}), plain({2}, {3})},
                                                   {{{1, 2}, {3}, "", "", 0.5F}},
                                                   {{{1, 2}, {3}, "a", "b"}},
                                                   {{{1, 2}, {3}, "ab", ""}}};
  for (size_t i = 0; i < all.size(); ++i) {
    for (size_t j = 0; j < i; ++j) EXPECT_NE(summary_of(all[i]).checksum(), summary_of(all[j]).checksum()) << i << j;
  }
}

// A run that an earlier version began must find its corpus again.
TEST(StoreSummary, TheChecksumIsThatOfEarlierVersions) {
  EXPECT_EQ(summary_of({plain({5, 6}, {7}), plain({8}, {9, 10, 11})}).checksum(), 0x0331FBC3U);
}

}  // namespace
}  // namespace ventris::data
