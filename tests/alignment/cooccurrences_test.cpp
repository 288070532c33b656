#include "alignment/cooccurrences.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>

#include "drawn_pairs.h"

namespace ventris::alignment {
namespace {

std::vector<uint32_t> all_of(const SentencePairs& pairs) {
  std::vector<uint32_t> all(pairs.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

using Counts = std::map<std::pair<int32_t, int32_t>, int>;

/// In how many sentence pairs each pair of words is.
Counts counts_of(const SentencePairs& pairs) {
  Counts counts;
  for (size_t pair = 0; pair < pairs.size(); ++pair) {
    std::set<std::pair<int32_t, int32_t>> here;
    for (const int32_t source : pairs.source(pair)) {
      for (const int32_t target : pairs.target(pair)) here.emplace(source, target);
    }
    for (const auto& both : here) ++counts[both];
  }
  return counts;
}

TEST(CooccurringPairs, AreInTwoSentencePairsOrAlike) {
  const SentencePairs pairs = test::drawn_pairs(60);
  for (const int threads : {1, 3}) {
    const auto [found, all_alike] = cooccurring_pairs(pairs, all_of(pairs), Unit::kWords, 1 << 20, threads);
    EXPECT_TRUE(all_alike);
    size_t size = 0;
    for (const auto& [both, count] : counts_of(pairs)) {
      const auto* entry = found.find(both.first, both.second);
      const auto& source = pairs.source_words()[both.first];
      const auto& target = pairs.target_words()[both.second];
      const Likeness likeness = Comparison().likeness(source, target);
      const bool alike = likeness == Likeness::kAlike || likeness == Likeness::kVeryAlike;
      EXPECT_EQ(entry != nullptr, count > 1 || alike);
      if (entry != nullptr) {
        EXPECT_EQ(entry->likeness(), likeness);
        ++size;
      }
    }
    EXPECT_EQ(found.size(), size);
  }
}

TEST(CooccurringPairs, ThereAreNotMoreThanAllowed) {
  const SentencePairs pairs = test::drawn_pairs(200);
  for (const Unit unit : {Unit::kWords, Unit::kClasses}) {
    size_t last = cooccurring_pairs(pairs, all_of(pairs), unit, 1 << 20, 1).pairs.size();
    for (const size_t most : {last - 1, last / 2, last / 5, size_t{1}}) {
      const auto [found, all_alike] = cooccurring_pairs(pairs, all_of(pairs), unit, most, 1);
      EXPECT_LE(found.size(), most);
      EXPECT_LE(found.size(), last);
      EXPECT_FALSE(all_alike);
      last = found.size();
    }
  }
}

TEST(CooccurringPairs, OnlyChosenPairsCount) {
  const SentencePairs pairs = test::drawn_pairs(60);
  EXPECT_EQ(cooccurring_pairs(pairs, {7}, Unit::kClasses, 1 << 20, 1).pairs.size(), 0U);
}

}  // namespace
}  // namespace ventris::alignment
