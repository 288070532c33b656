#include "metrics/bleu.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "metrics/ngrams.h"
#include "metrics/unicode.h"

namespace ventris::metrics {
namespace {

constexpr double kLogOfZero = -9999999999.0;  // sacreBLEU's; its exponential is 0

double log_or_low(double value) { return value == 0 ? kLogOfZero : std::log(value); }

std::string cut(std::string_view line, const BleuOptions& options) {
  if (options.tokenization != Tokenization::kSpm || !options.pieces) return tokenize(options.tokenization, line);
  std::string text;
  for (const std::string& piece : options.pieces->encode(line)) text.append(piece).append(" ");
  return text;
}

std::string prepare(const std::string& line, const BleuOptions& options) {
  return options.lowercase ? cut(strip_right(to_lower(line)), options) : cut(strip_right(line), options);
}

int64_t closest_length(int64_t hyp_length, const std::vector<int64_t>& lengths) {
  return *std::min_element(lengths.begin(), lengths.end(), [&](int64_t a, int64_t b) {
    return std::pair(std::abs(a - hyp_length), a) < std::pair(std::abs(b - hyp_length), b);
  });
}

/// `lines`: the hypothesis, then its references.
BleuStatistics segment_statistics(const std::vector<const std::string*>& lines, const BleuOptions& options,
                                  NgramCounter& counter) {
  std::vector<std::string> texts;
  texts.reserve(lines.size());  // WordNumbers keeps views of these texts
  std::vector<Symbols> sequences;
  WordNumbers numbers;
  for (const std::string* line : lines) {
    texts.push_back(prepare(*line, options));
    sequences.push_back(numbers(split_words(texts.back())));
  }
  const auto counts = counter.count(sequences, static_cast<int>(kBleuOrder));
  BleuStatistics statistics;
  statistics.hyp_length = counts[0].hypothesis;
  statistics.ref_length = closest_length(statistics.hyp_length, counts[0].reference);
  for (size_t n = 0; n < kBleuOrder; ++n) {
    statistics.matched[n] = counts[n].matched_any;
    statistics.total[n] = counts[n].hypothesis;
  }
  return statistics;
}

double brevity_penalty(int64_t hyp_length, int64_t ref_length) {
  if (hyp_length >= ref_length) return 1;
  return hyp_length > 0 ? std::exp(1 - static_cast<double>(ref_length) / static_cast<double>(hyp_length)) : 0;
}

/// Counts by n-gram order. For resamples, they are in single precision.
template <typename Real>
struct NgramTotals {
  std::array<Real, kBleuOrder> matched, total;
};

/// Sets the precisions; returns how many orders count.
template <typename Real>
size_t smoothed_precisions(const NgramTotals<Real>& counts, const BleuOptions& options, BleuScore& result) {
  const double value = smooth_value(options).value_or(0);
  const auto hundred = static_cast<Real>(100);
  Real divisor = 1;
  size_t orders = kBleuOrder;
  for (size_t n = 0; n < kBleuOrder; ++n) {
    const auto added = static_cast<Real>(options.smoothing == Smoothing::kAddK && n > 0 ? value : 0);
    const Real matched = counts.matched[n] + added, total = counts.total[n] + added;
    if (total == 0) break;
    if (options.effective_order) orders = n + 1;
    if (matched > 0) {
      result.precisions[n] = hundred * matched / total;
    } else if (options.smoothing == Smoothing::kExp) {
      divisor *= 2;
      result.precisions[n] = hundred / (divisor * total);
    } else if (options.smoothing == Smoothing::kFloor) {
      result.precisions[n] = static_cast<Real>(100 * value) / total;
    }
  }
  return orders;
}

/// Sets precisions and score from the lengths.
template <typename Real>
void fill_in(const NgramTotals<Real>& counts, const BleuOptions& options, BleuScore& result) {
  result.brevity_penalty = brevity_penalty(result.hyp_length, result.ref_length);
  const auto& matched = counts.matched;
  if (std::all_of(matched.begin(), matched.end(), [](Real n) { return n == 0; })) return;
  const size_t orders = smoothed_precisions(counts, options, result);
  double logs = 0;
  for (size_t n = 0; n < orders; ++n) logs += log_or_low(result.precisions[n]);
  result.score = result.brevity_penalty * std::exp(logs / static_cast<double>(orders));
}

}  // namespace

const std::vector<std::string>& smoothing_names() {
  static const std::vector<std::string> names{"exp", "floor", "add-k", "none"};
  return names;
}

std::optional<double> smooth_value(const BleuOptions& options) {
  if (options.smoothing == Smoothing::kFloor) return options.smooth_value.value_or(0.1);
  if (options.smoothing == Smoothing::kAddK) return options.smooth_value.value_or(1);
  return std::nullopt;
}

BleuStatistics& BleuStatistics::operator+=(const BleuStatistics& other) {
  hyp_length += other.hyp_length;
  ref_length += other.ref_length;
  for (size_t n = 0; n < kBleuOrder; ++n) {
    matched[n] += other.matched[n];
    total[n] += other.total[n];
  }
  return *this;
}

std::vector<BleuStatistics> bleu_statistics(const std::vector<std::string>& hypotheses, const References& references,
                                            const BleuOptions& options, int threads) {
  std::vector<BleuStatistics> statistics(hypotheses.size());
  std::vector<NgramCounter> counters(static_cast<size_t>(std::max(threads, 1)));
  for_each_segment(hypotheses, references, threads,
                   [&](size_t segment, int worker, const std::vector<const std::string*>& lines) {
                     auto& counter = counters[static_cast<size_t>(worker)];
                     statistics[segment] = segment_statistics(lines, options, counter);
                   });
  return statistics;
}

BleuScore bleu_score(const BleuStatistics& statistics, const BleuOptions& options) {
  BleuScore result;
  result.hyp_length = statistics.hyp_length;
  result.ref_length = statistics.ref_length;
  NgramTotals<double> counts{};
  std::copy(statistics.matched.begin(), statistics.matched.end(), counts.matched.begin());
  std::copy(statistics.total.begin(), statistics.total.end(), counts.total.begin());
  fill_in(counts, options, result);
  return result;
}

ResampledScore resampled_bleu(std::span<const float> sums, const BleuOptions& options) {
  BleuScore result;
  result.hyp_length = static_cast<int64_t>(sums[0]);
  result.ref_length = static_cast<int64_t>(sums[1]);
  NgramTotals<float> counts{};
  std::copy_n(sums.begin() + 2, kBleuOrder, counts.matched.begin());
  std::copy_n(sums.begin() + 2 + kBleuOrder, kBleuOrder, counts.total.begin());
  fill_in(counts, options, result);
  return {result.score, false};  // logarithms and exponential are in double precision
}

BleuScore corpus_bleu(const std::vector<std::string>& hypotheses, const References& references,
                      const BleuOptions& options) {
  BleuStatistics sum;
  for (const BleuStatistics& segment : bleu_statistics(hypotheses, references, options)) sum += segment;
  return bleu_score(sum, options);
}

BleuScore sentence_bleu(const std::string& hypothesis, const std::vector<std::string>& references,
                        BleuOptions options) {
  options.effective_order = true;
  return corpus_bleu({hypothesis}, columns_of(references), options);
}

}  // namespace ventris::metrics
