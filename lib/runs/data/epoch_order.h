#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ventris::data {

/// The shares of the corpora in an epoch, which sum to 1. They are proportional to `weights` (all over 0), or, if that
/// is empty, to sizes^(1 / temperature) (Arivazhagan et al. 2019, section 3.1).
std::vector<double> mixing_shares(const std::vector<uint64_t>& sizes, const std::vector<double>& weights,
                                  double temperature);

/// Which pairs an epoch takes from the corpora of a store. Each corpus is an endless sequence of passes; each pass is a
/// permutation, a function of (seed, corpus, pass). An epoch takes the next part of each sequence, in proportion to the
/// corpus's share; its number of pairs is that of all corpora. So there is no state between epochs, and with a single
/// corpus, an epoch is one pass. An epoch is divided into windows, each with its part of every corpus; only one window
/// is in memory. A corpus larger than a window is permuted in chunks of 1,024 neighbours.
class EpochOrder {
 public:
  /// `sizes`: pairs of each corpus, not all 0. `shares` sum to 1; empty = by size. `window`: maximum number of pairs in
  /// a window (plus one for each further corpus), at least 1. Throws std::invalid_argument for other values.
  EpochOrder(std::vector<uint64_t> sizes, const std::vector<double>& shares, uint64_t seed, uint64_t window);

  uint64_t pairs() const;  ///< per epoch
  uint32_t windows() const;

  /// The pairs of a window, ascending. A pair may be repeated if its corpus is passed more than once.
  std::vector<uint32_t> window(uint64_t epoch, uint32_t number) const;

 private:
  void append(size_t corpus, uint64_t from, uint64_t to, std::vector<uint32_t>& pairs) const;
  void append_of_pass(size_t corpus, uint64_t pass, uint64_t from, uint64_t to, std::vector<uint32_t>& pairs) const;

  std::vector<uint64_t> sizes_;
  std::vector<uint64_t> counts_;  // pairs of each corpus per epoch
  uint64_t seed_, window_;
};

}  // namespace ventris::data
