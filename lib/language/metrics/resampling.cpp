#include "metrics/resampling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/parallel.h"
#include "metrics/numpy_random.h"

namespace ventris::metrics {
namespace {

using Rows = std::vector<uint32_t>;

/// The scores of all resamples of one system.
struct Scores {
  std::vector<double> values = {};
  bool single = true;  ///< all are in single precision; then so is everything computed from them
};

/// Draws samples one after the other with draw(rows), and calls use(sample, rows) for each, on several threads.
template <typename Draw, typename Use>
void for_each_sample(const ResamplingOptions& options, const Draw& draw, const Use& use) {
  const auto at_once = static_cast<size_t>(std::max(options.threads, 1)) * 4;
  std::vector<Rows> drawn(at_once);
  for (size_t first = 0; first < options.samples; first += at_once) {
    const size_t count = std::min(at_once, options.samples - first);
    for (size_t i = 0; i < count; ++i) draw(drawn[i]);
    core::parallel_for(count, options.threads, [&](size_t i, int /*worker*/) { use(first + i, drawn[i]); });
  }
}

/// Sums row after row, as NumPy does along the first axis.
template <typename Real>
std::vector<Real> sum_rows(const std::vector<Real>& values, size_t width, const Rows& rows) {
  std::vector<Real> sums(width);
  for (const uint32_t row : rows) {
    const Real* counts = values.data() + row * width;
    for (size_t i = 0; i < width; ++i) sums[i] += counts[i];
  }
  return sums;
}

/// A table in single precision, as NumPy sums it.
class NarrowTable {
 public:
  explicit NarrowTable(const CountTable& table)
      : width_(table.width), values_(table.values.begin(), table.values.end()) {
    whole_ = std::all_of(values_.begin(), values_.end(), [](float value) { return value == std::trunc(value); });
  }

  /// The sum of `rows`, in which row i occurs `times[i]` times. Sums of whole numbers under 2^24 have no rounding
  /// errors, so they are computed in the order of memory, which is the fastest.
  std::vector<float> sum(const Rows& rows, const std::vector<uint32_t>& times) const {
    constexpr float kExactBelow = 1 << 24;
    if (!whole_) return sum_rows(values_, width_, rows);
    std::vector<float> sums(width_);
    const float* row = values_.data();
    for (const uint32_t count : times) {
      for (size_t i = 0; i < width_; ++i) sums[i] += static_cast<float>(count) * row[i];
      row += width_;
    }
    const bool exact = std::all_of(sums.begin(), sums.end(), [](float value) { return value < kExactBelow; });
    return exact ? sums : sum_rows(values_, width_, rows);
  }

 private:
  size_t width_;
  std::vector<float> values_;
  bool whole_;  ///< whether all values are whole numbers
};

/// NumPy's pairwise sum.
template <typename Real>
Real pairwise_sum(const Real* values, size_t count) {
  constexpr size_t kBlock = 128, kLanes = 8;
  if (count > kBlock) {
    const size_t half = count / 2 - count / 2 % kLanes;
    return pairwise_sum(values, half) + pairwise_sum(values + half, count - half);
  }
  Real sum = 0;
  size_t done = 0;
  if (count >= kLanes) {
    Real lanes[kLanes];
    std::copy_n(values, kLanes, lanes);
    for (done = kLanes; done + kLanes <= count; done += kLanes) {
      for (size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += values[done + lane];
    }
    sum = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
  }
  for (; done < count; ++done) sum += values[done];
  return sum;
}

double numpy_mean(const std::vector<double>& values, bool single) {
  const auto count = static_cast<double>(values.size());
  if (!single) return pairwise_sum(values.data(), values.size()) / count;
  const std::vector<float> narrow(values.begin(), values.end());
  return static_cast<float>(pairwise_sum(narrow.data(), narrow.size()) / count);
}

/// The mean of the values, rounded only once.
double exact_mean(const std::vector<double>& values, bool single) {
  long double sum = 0;
  for (const double value : values) sum += value;
  const auto mean = static_cast<double>(sum / static_cast<long double>(values.size()));
  return single ? static_cast<double>(static_cast<float>(mean)) : mean;
}

double subtract(double a, double b, bool single) {
  return single ? static_cast<double>(static_cast<float>(a) - static_cast<float>(b)) : a - b;
}

/// Half of the interval of the sorted values without one in 40 at each end.
double half_interval(const Scores& sorted) {
  const auto& values = sorted.values;
  const size_t left_out = values.size() / 40;
  return 0.5 * subtract(values[values.size() - left_out - 1], values[left_out], sorted.single);
}

Scores sorted(Scores scores) {
  std::sort(scores.values.begin(), scores.values.end());
  return scores;
}

void check(const std::vector<CountTable>& systems, const ResamplingOptions& options) {
  if (systems.empty() || options.samples == 0) throw std::invalid_argument("resampling: no systems or no samples");
  const size_t segments = systems[0].segments();
  if (segments == 0 || segments > std::numeric_limits<uint32_t>::max()) {
    throw std::invalid_argument("resampling: cannot draw from " + std::to_string(segments) + " segments");
  }
  for (const CountTable& system : systems) {
    if (system.segments() != segments) throw std::invalid_argument("resampling: systems of different lengths");
  }
}

/// The scores of all systems on the same resamples.
std::vector<Scores> bootstrap(const std::vector<CountTable>& systems, const Scorer& scorer,
                              const ResamplingOptions& options) {
  check(systems, options);
  const std::vector<NarrowTable> tables(systems.begin(), systems.end());
  const auto segments = static_cast<uint32_t>(systems[0].segments());
  std::vector<std::vector<ResampledScore>> drawn(systems.size(), std::vector<ResampledScore>(options.samples));
  NumpyRandom random(options.seed);
  const auto draw = [&](Rows& rows) {
    rows.resize(segments);
    for (uint32_t& row : rows) row = random.below(segments);
  };
  for_each_sample(options, draw, [&](size_t sample, const Rows& rows) {
    std::vector<uint32_t> times(segments);
    for (const uint32_t row : rows) ++times[row];
    for (size_t s = 0; s < tables.size(); ++s) drawn[s][sample] = scorer.resampled(tables[s].sum(rows, times));
  });
  std::vector<Scores> result(systems.size());
  for (size_t s = 0; s < systems.size(); ++s) {
    for (const ResampledScore& score : drawn[s]) {
      result[s].values.push_back(score.value);
      result[s].single = result[s].single && score.single;
    }
  }
  return result;
}

/// Adds one to both counts, so that a p-value is never 0.
double p_value(const std::vector<double>& differences, double real_difference) {
  const auto larger = std::count_if(differences.begin(), differences.end(),
                                    [real_difference](double difference) { return difference > real_difference; });
  return static_cast<double>(larger + 1) / static_cast<double>(differences.size() + 1);
}

double bootstrap_p_value(const Scores& baseline, const Scores& system, double real_difference) {
  const bool single = baseline.single && system.single;
  std::vector<double> differences;
  for (size_t i = 0; i < baseline.values.size(); ++i) {
    differences.push_back(std::abs(subtract(system.values[i], baseline.values[i], single)));
  }
  const double mean = numpy_mean(differences, single);
  for (double& difference : differences) difference = subtract(difference, mean, single);
  return p_value(differences, single ? static_cast<double>(static_cast<float>(real_difference)) : real_difference);
}

std::vector<double> difference(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> result(a.size());
  std::transform(a.begin(), a.end(), b.begin(), result.begin(), std::minus<>());
  return result;
}

/// Exchanges segments between baseline and system where the coin shows heads.
double shuffled_difference(const std::vector<double>& baseline, const std::vector<double>& system,
                           const std::vector<double>& exchanged, const Scorer& scorer) {
  std::vector<double> one = system, other = baseline;
  for (size_t i = 0; i < exchanged.size(); ++i) {
    one[i] += exchanged[i];
    other[i] -= exchanged[i];
  }
  return std::abs(scorer.shuffled(one) - scorer.shuffled(other));
}

}  // namespace

std::vector<double> CountTable::sums() const {
  std::vector<double> sums(width);
  for (size_t i = 0; i < values.size(); ++i) sums[i % width] += values[i];
  return sums;
}

Confidence bootstrap_confidence(const CountTable& table, const Scorer& scorer, const ResamplingOptions& options) {
  const Scores scores = sorted(bootstrap({table}, scorer, options)[0]);
  return {exact_mean(scores.values, scores.single), half_interval(scores)};
}

std::vector<PairedResult> paired_bootstrap(const std::vector<CountTable>& systems, const Scorer& scorer,
                                           const ResamplingOptions& options) {
  const std::vector<Scores> scores = bootstrap(systems, scorer, options);
  const double baseline = scorer.exact(systems[0].sums());
  std::vector<PairedResult> results(systems.size());
  for (size_t s = 0; s < systems.size(); ++s) {
    const Scores in_order = sorted(scores[s]);
    results[s].confidence = {numpy_mean(in_order.values, in_order.single), half_interval(in_order)};
    if (s == 0) continue;
    const double real_difference = std::abs(baseline - scorer.exact(systems[s].sums()));
    results[s].p_value = bootstrap_p_value(scores[0], scores[s], real_difference);
  }
  return results;
}

std::vector<PairedResult> paired_randomization(const std::vector<CountTable>& systems, const Scorer& scorer,
                                               const ResamplingOptions& options) {
  check(systems, options);
  std::vector<std::vector<double>> totals, to_exchange;
  for (const CountTable& system : systems) {
    totals.push_back(system.sums());
    to_exchange.push_back(difference(systems[0].values, system.values));
  }
  std::vector<std::vector<double>> differences(systems.size(), std::vector<double>(options.samples));
  NumpyRandom random(options.seed);
  CoinTosses coin(random);
  const auto draw = [&, segments = static_cast<uint32_t>(systems[0].segments())](Rows& heads) {
    heads.clear();
    for (uint32_t segment = 0; segment < segments; ++segment) {
      if (coin.next()) heads.push_back(segment);
    }
  };
  for_each_sample(options, draw, [&](size_t sample, const Rows& heads) {
    for (size_t s = 1; s < systems.size(); ++s) {
      const auto exchanged = sum_rows(to_exchange[s], systems[s].width, heads);
      differences[s][sample] = shuffled_difference(totals[0], totals[s], exchanged, scorer);
    }
  });
  std::vector<PairedResult> results(systems.size());
  for (size_t s = 1; s < systems.size(); ++s) {
    const double real_difference = std::abs(scorer.exact(totals[0]) - scorer.exact(totals[s]));
    results[s].p_value = p_value(differences[s], real_difference);
  }
  return results;
}

}  // namespace ventris::metrics
