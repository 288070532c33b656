#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

/// Confidence intervals and paired tests: bootstrap resampling (Koehn 2004) and approximate randomization (Riezler and
/// Maxwell 2005), with the samples and the arithmetic, and therefore the results, of sacreBLEU 2.6 on NumPy 2.
namespace ventris::metrics {

/// The counts of a metric, one row of `width` numbers per segment. Rows are summed, and the sums are scored.
struct CountTable {
  size_t width = 0;
  std::vector<double> values = {};  ///< [segments, width]

  size_t segments() const { return width > 0 ? values.size() / width : 0; }
  std::vector<double> sums() const;
};

/// The score of a resample. NumPy sums resamples in single precision and stays in it unless a metric uses double.
struct ResampledScore {
  double value = 0;
  bool single = false;  ///< whether the value is in single precision
};

/// How the sums of a table are scored.
struct Scorer {
  std::function<double(std::span<const double>)> exact = {};               ///< the score itself
  std::function<ResampledScore(std::span<const float>)> resampled = {};  ///< of bootstrap resamples
  std::function<double(std::span<const double>)> shuffled = {};            ///< of randomized systems
};

struct ResamplingOptions {
  size_t samples = 1000;
  uint64_t seed = 12345;
  int threads = 1;  ///< does not affect the results
};

/// The mean score of the resamples, and half of the width of the interval that contains 95 % of them.
struct Confidence {
  double mean = 0;
  double interval = 0;
};

/// For one table. This and the other functions throw std::invalid_argument if there are no segments or samples.
Confidence bootstrap_confidence(const CountTable& table, const Scorer& scorer, const ResamplingOptions& options);

/// The result of a paired test of a system against the baseline.
struct PairedResult {
  Confidence confidence;  ///< only for bootstrap resampling
  double p_value = 1;     ///< probability of a difference at least this large if both were equally good
};

/// `systems` has the tables of all systems; the first is the baseline, whose p-value in the first result is
/// meaningless. Sums of fractional counts (TER with three or more references) are rounded. In sacreBLEU, this rounding,
/// which depends on the processor, breaks ties between randomized systems; here a tie remains a tie.
std::vector<PairedResult> paired_bootstrap(const std::vector<CountTable>& systems, const Scorer& scorer,
                                           const ResamplingOptions& options);
std::vector<PairedResult> paired_randomization(const std::vector<CountTable>& systems, const Scorer& scorer,
                                               const ResamplingOptions& options);

}  // namespace ventris::metrics
