#include "metrics/ngrams.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/random.h"

namespace ventris::metrics {
namespace {

using Counts = std::map<Symbols, int64_t>;

Counts count_plainly(const Symbols& symbols, std::ptrdiff_t order) {
  Counts counts;
  for (auto i = symbols.begin(); symbols.end() - i >= order; ++i) ++counts[Symbols(i, i + order)];
  return counts;
}

int64_t overlap(const Counts& a, const Counts& b) {
  int64_t matched = 0;
  for (const auto& [ngram, count] : a) matched += b.count(ngram) > 0 ? std::min(count, b.at(ngram)) : 0;
  return matched;
}

TEST(WordNumbers, EqualWordsGetEqualNumbers) {
  WordNumbers numbers;
  EXPECT_EQ(numbers({"a", "b", "a"}), (Symbols{0, 1, 0}));
  EXPECT_EQ(numbers({"c", "b"}), (Symbols{2, 1}));
}

TEST(NgramCounter, RepeatsCountAsOftenAsTheReferenceHasThem) {
  const auto counts = NgramCounter().count({{7, 7, 7}, {7, 7, 8}, {7, 9}}, 2);
  EXPECT_EQ(counts[0].hypothesis, 3);
  EXPECT_EQ(counts[0].reference, (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(counts[0].matched, (std::vector<int64_t>{2, 1}));
  EXPECT_EQ(counts[0].matched_any, 2);
  EXPECT_EQ(counts[1].matched, (std::vector<int64_t>{1, 0}));
}

TEST(NgramCounter, OrdersBeyondTheLengthAreEmpty) {
  const auto counts = NgramCounter().count({{}, {1, 2}}, 4);
  EXPECT_EQ(counts[0].hypothesis, 0);
  EXPECT_EQ(counts[0].reference[0], 2);
  EXPECT_EQ(counts[3].reference[0], 0);
}

TEST(NgramCounter, AgreesWithCountingInAMap) {
  const core::RandomStream dice(1, 0);
  uint64_t draws = 0;
  NgramCounter counter;  // one for all: what it keeps must not leak
  for (int round = 0; round < 200; ++round) {
    std::vector<Symbols> sequences(3);
    for (Symbols& sequence : sequences) {
      sequence.resize(dice.below(draws++, 30));
      for (uint32_t& symbol : sequence) symbol = static_cast<uint32_t>(0x10FFFF - dice.below(draws++, 3));
    }
    const auto counts = counter.count(sequences, 6);
    for (int order = 1; order <= 6; ++order) {
      const Counts hypothesis = count_plainly(sequences[0], order);
      Counts most = count_plainly(sequences[1], order);
      EXPECT_EQ(counts[order - 1].matched[0], overlap(hypothesis, most));
      for (const auto& [ngram, count] : count_plainly(sequences[2], order)) most[ngram] = std::max(most[ngram], count);
      EXPECT_EQ(counts[order - 1].matched_any, overlap(hypothesis, most));
    }
  }
}

}  // namespace
}  // namespace ventris::metrics
