#pragma once
#include <cstdint>

namespace ventris::metrics {

/// The random numbers of NumPy's default_rng(seed): SeedSequence and PCG64 (O'Neill 2014: pcg64_xsl_rr). It gives the
/// same resamples as sacreBLEU.
class NumpyRandom {
 public:
  explicit NumpyRandom(uint64_t seed);

  uint64_t next64();
  uint32_t next32();  ///< the lower, then the upper half of a next64()

  /// The next number of choice(bound, size=...): a number < `bound`, which must be from 1 to 2^32 - 1 (Lemire 2019). If
  /// `bound` is 1, nothing is drawn.
  uint32_t below(uint32_t bound);

 private:
  __extension__ using uint128 = unsigned __int128;

  uint128 state_ = 0, increment_ = 0;
  uint32_t upper_half_ = 0;
  bool has_upper_half_ = false;
};

/// The coin tosses of integers(2, size=..., dtype=bool).
class CoinTosses {
 public:
  explicit CoinTosses(NumpyRandom& random) : random_(random) {}
  bool next();

 private:
  NumpyRandom& random_;
  uint32_t bits_ = 0;
  int left_ = 0;
};

}  // namespace ventris::metrics
