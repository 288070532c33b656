#pragma once
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ventris::metrics {

/// A line as numbers: equal numbers = equal words (or characters).
using Symbols = std::vector<uint32_t>;

/// Numbers the words of one segment; equal words get equal numbers. Keeps views of the text, which must outlive it.
class WordNumbers {
 public:
  Symbols operator()(const std::vector<std::string_view>& words);

 private:
  std::unordered_map<std::string_view, uint32_t> numbers_;
};

/// How often the n-grams of one order occur in a hypothesis and in its references.
struct NgramCounts {
  int64_t hypothesis = 0;          ///< n-grams of the hypothesis
  int64_t matched_any = 0;         ///< those in a reference; each counts at most as often as in any one reference
  std::vector<int64_t> reference;  ///< n-grams of each reference
  std::vector<int64_t> matched;    ///< the same for each single reference
};

/// Counts n-grams exactly, without relying on hashes for equality. Use one for many segments: it reuses its memory.
class NgramCounter {
 public:
  /// The counts of orders 1 to `max_order`. `sequences` has the hypothesis, then its references.
  std::vector<NgramCounts> count(const std::vector<Symbols>& sequences, int max_order);

 private:
  void start(const std::vector<Symbols>& sequences);
  void name_ngrams(const std::vector<Symbols>& sequences, int order);
  uint32_t name_of(uint64_t key);
  NgramCounts compare();

  std::vector<Symbols> names_;  ///< [sequence][position] = a number for the n-gram that starts there
  std::vector<uint64_t> keys_;  ///< hash table with open addressing
  std::vector<uint32_t> values_;
  int shift_ = 0;
  uint32_t distinct_ = 0;  ///< n-grams numbered so far
  std::vector<int64_t> hypothesis_counts_, reference_counts_, most_;
};

}  // namespace ventris::metrics
