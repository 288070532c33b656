#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ventris::data {

/// Shares of the corpora in an epoch, which sum to 1: the given weights (all over 0), or, if there are none, sizes^(1 /
/// temperature). Source of the latter: Arivazhagan et al. 2019, section 3.1.
std::vector<double> mixing_shares(const std::vector<uint64_t>& sizes, const std::vector<double>& weights,
                                  double temperature);

/// Which pairs an epoch takes from the corpora of a store. Each corpus is an endless sequence of passes, each pass a
/// permutation that (seed, corpus, pass) alone decides; an epoch takes the next stretch of each, in proportion to its
/// share, as many pairs in all as there are. So nothing has to be remembered between epochs, and one corpus alone
/// gives one pass an epoch. An epoch is cut into windows, each with its part of every corpus, which alone are held in
/// memory. Corpora larger than a window are permuted in chunks of 1,024 neighbours.
class EpochOrder {
 public:
  /// `sizes`: pairs of each corpus, some of them over 0; `shares` sum to 1, empty = by size. `window`: pairs in a
  /// window, at most (one more for each further corpus), at least 1. Throws std::invalid_argument for other values.
  EpochOrder(std::vector<uint64_t> sizes, const std::vector<double>& shares, uint64_t seed, uint64_t window);

  uint64_t pairs() const;  ///< of an epoch
  uint32_t windows() const;

  /// The pairs of a window, ascending; a pair may be there more than once if its corpus is taken more than once.
  std::vector<uint32_t> window(uint64_t epoch, uint32_t number) const;

 private:
  void append(size_t corpus, uint64_t from, uint64_t to, std::vector<uint32_t>& pairs) const;
  void append_of_pass(size_t corpus, uint64_t pass, uint64_t from, uint64_t to, std::vector<uint32_t>& pairs) const;

  std::vector<uint64_t> sizes_;
  std::vector<uint64_t> counts_;  // taken of each corpus an epoch
  uint64_t seed_, window_;
};

}  // namespace ventris::data
