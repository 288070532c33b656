#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

/// How sure a score is, and a difference between two: bootstrap resampling (Koehn 2004) and approximate randomization
/// (Riezler and Maxwell 2005), with the samples, the arithmetic and so the figures of sacreBLEU 2.6 on NumPy 2.
namespace ventris::metrics {

/// What a metric counts, a row of `width` numbers for each segment. Rows are summed, and sums scored.
struct CountTable {
  size_t width = 0;
  std::vector<double> values = {};  ///< [segments, width]

  size_t segments() const { return width > 0 ? values.size() / width : 0; }
  std::vector<double> sums() const;
};

/// The score of a resample. NumPy sums resamples in single precision, and goes on in it unless a metric leaves it.
struct ResampledScore {
  double value = 0;
  bool single = false;  ///< in single precision
};

/// How a table's sums are scored.
struct Scorer {
  std::function<double(std::span<const double>)> exact = {};               ///< the score itself
  std::function<ResampledScore(std::span<const float>)> resampled = {};  ///< of bootstrap resamples
  std::function<double(std::span<const double>)> shuffled = {};            ///< of randomized systems
};

struct ResamplingOptions {
  size_t samples = 1000;
  uint64_t seed = 12345;
  int threads = 1;  ///< results do not depend on it
};

/// The mean score of the resamples, and half of the interval in which 95 % of them lie.
struct Confidence {
  double mean = 0;
  double interval = 0;
};

/// Of one table. Throws std::invalid_argument without segments or samples; so do the others.
Confidence bootstrap_confidence(const CountTable& table, const Scorer& scorer, const ResamplingOptions& options);

/// What a paired test says of a system other than the baseline.
struct PairedResult {
  Confidence confidence;  ///< of the bootstrap only
  double p_value = 1;     ///< chance of a difference as large as that from the baseline if both were one system
};

/// The tables of all systems, the baseline's first. The first result is the baseline's, whose p-value means nothing.
/// Counts that are not whole (TER against three references or more) are rounded when they are summed, and sacreBLEU
/// breaks ties between randomized systems by that rounding, which its processor decides; there, a tie is a tie here.
std::vector<PairedResult> paired_bootstrap(const std::vector<CountTable>& systems, const Scorer& scorer,
                                           const ResamplingOptions& options);
std::vector<PairedResult> paired_randomization(const std::vector<CountTable>& systems, const Scorer& scorer,
                                               const ResamplingOptions& options);

}  // namespace ventris::metrics
