#pragma once
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "decoding/ensemble_factory.h"
#include "decoding/search.h"
#include "support/table_scorer.h"

/// Ensembles of random tables, for tests.
namespace ventris::decoding {

using test::Ids;
using test::Table;
using test::TableFactory;

inline constexpr int32_t kTableVocab = 13;
inline const ScorerInfo kTableInfo{2, 3, kTableVocab, 14};
inline const Ids kNeverInTables{0, 1, 2};
inline constexpr auto kBothCombinations = {Combination::kProbs, Combination::kLogProbs};

/// The combination of two tables with weights 3 and 1, as one table.
inline Table table_of_both(const Table& a, const Table& b, Combination combination) {
  return [=](const Ids& source, const Ids& prefix) {
    const auto x = a(source, prefix), y = b(source, prefix);
    std::vector<double> weights;
    for (size_t id = 0; id < x.size(); ++id) {
      const double p = std::exp(static_cast<double>(x[id])), q = std::exp(static_cast<double>(y[id]));
      const bool mean = combination == Combination::kProbs;
      weights.push_back(mean ? 0.75 * p + 0.25 * q : std::pow(p, 0.75) * std::pow(q, 0.25));
    }
    return test::log_shares(weights);
  };
}

inline Table table_of(uint64_t seed) { return test::random_table(kTableVocab, seed, 4.0); }

inline std::shared_ptr<const ScorerFactory> table_model(uint64_t seed, ScorerInfo info = kTableInfo) {
  return std::make_shared<TableFactory>(test::random_table(info.vocab, seed, 4.0), info, kNeverInTables);
}

inline std::unique_ptr<ScorerFactory> both_tables(uint64_t a, uint64_t b, Combination combination) {
  return make_ensemble({table_model(a), table_model(b)}, {{3.0, 1.0}, combination, kNeverInTables});
}

inline Sentence sentence_of(Ids source) {
  Sentence sentence;
  sentence.source = std::move(source);
  return sentence;
}

}  // namespace ventris::decoding
