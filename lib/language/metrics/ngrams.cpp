#include "metrics/ngrams.h"

#include <algorithm>
#include <bit>

namespace ventris::metrics {
namespace {

constexpr uint64_t kFree = ~uint64_t{0};
constexpr uint64_t kGoldenRatio = 0x9E3779B97F4A7C15U;

}  // namespace

Symbols WordNumbers::operator()(const std::vector<std::string_view>& words) {
  Symbols symbols;
  symbols.reserve(words.size());
  for (const std::string_view word : words) {
    symbols.push_back(numbers_.try_emplace(word, static_cast<uint32_t>(numbers_.size())).first->second);
  }
  return symbols;
}

std::vector<NgramCounts> NgramCounter::count(const std::vector<Symbols>& sequences, int max_order) {
  std::vector<NgramCounts> counts;
  start(sequences);
  for (int order = 1; order <= max_order; ++order) {
    name_ngrams(sequences, order);
    counts.push_back(compare());
  }
  return counts;
}

void NgramCounter::start(const std::vector<Symbols>& sequences) {
  size_t symbols = 8;
  for (const Symbols& sequence : sequences) symbols += sequence.size();
  const size_t capacity = std::bit_ceil(2 * symbols);  // at most half full
  shift_ = 64 - std::countr_zero(capacity);
  keys_.resize(capacity);
  values_.resize(capacity);
  names_.resize(sequences.size());
  for (size_t s = 0; s < sequences.size(); ++s) names_[s].assign(sequences[s].size(), 0);
}

/// An n-gram consists of its first n - 1 symbols, which already have a number, and one more symbol.
void NgramCounter::name_ngrams(const std::vector<Symbols>& sequences, int order) {
  std::fill(keys_.begin(), keys_.end(), kFree);
  distinct_ = 0;
  const auto skipped = static_cast<size_t>(order - 1);
  for (size_t s = 0; s < sequences.size(); ++s) {
    const Symbols& symbols = sequences[s];
    const size_t ngrams = symbols.size() > skipped ? symbols.size() - skipped : 0;
    names_[s].resize(ngrams);
    for (size_t i = 0; i < ngrams; ++i) {
      names_[s][i] = name_of(static_cast<uint64_t>(names_[s][i]) << 32U | symbols[i + skipped]);
    }
  }
}

uint32_t NgramCounter::name_of(uint64_t key) {
  const size_t mask = keys_.size() - 1;
  size_t slot = (key * kGoldenRatio) >> static_cast<unsigned>(shift_);
  while (keys_[slot] != key) {
    if (keys_[slot] == kFree) {
      keys_[slot] = key;
      values_[slot] = distinct_++;
      break;
    }
    slot = (slot + 1) & mask;
  }
  return values_[slot];
}

NgramCounts NgramCounter::compare() {
  NgramCounts counts;
  counts.hypothesis = static_cast<int64_t>(names_[0].size());
  hypothesis_counts_.assign(distinct_, 0);
  most_.assign(distinct_, 0);
  for (const uint32_t name : names_[0]) ++hypothesis_counts_[name];
  for (size_t r = 1; r < names_.size(); ++r) {
    reference_counts_.assign(distinct_, 0);
    for (const uint32_t name : names_[r]) ++reference_counts_[name];
    int64_t matched = 0;
    for (uint32_t name = 0; name < distinct_; ++name) {
      matched += std::min(hypothesis_counts_[name], reference_counts_[name]);
      most_[name] = std::max(most_[name], reference_counts_[name]);
    }
    counts.reference.push_back(static_cast<int64_t>(names_[r].size()));
    counts.matched.push_back(matched);
  }
  for (uint32_t name = 0; name < distinct_; ++name) {
    counts.matched_any += std::min(hypothesis_counts_[name], most_[name]);
  }
  return counts;
}

}  // namespace ventris::metrics
