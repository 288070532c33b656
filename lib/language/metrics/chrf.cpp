#include "metrics/chrf.h"

#include <algorithm>
#include <string_view>

#include "metrics/ngrams.h"
#include "metrics/unicode.h"

namespace ventris::metrics {
namespace {

constexpr std::string_view kPunctuation = R"(!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~)";

bool is_punctuation(char c) { return kPunctuation.find(c) != std::string_view::npos; }

/// Splits one punctuation mark off each word, at the end or else at the beginning: "(hi)" becomes "(hi" and ")".
std::vector<std::string_view> split_marks(std::string_view text) {
  std::vector<std::string_view> result;
  for (const std::string_view word : split_words(text)) {
    size_t first = word.size();
    if (word.size() > 1 && is_punctuation(word.back())) {
      first = word.size() - 1;
    } else if (word.size() > 1 && is_punctuation(word.front())) {
      first = 1;
    }
    result.push_back(word.substr(0, first));
    if (first < word.size()) result.push_back(word.substr(first));
  }
  return result;
}

Symbols characters(std::string_view text, bool whitespace) {
  Symbols symbols;
  for (const char32_t c : decode(text)) {
    if (whitespace || !is_space(c)) symbols.push_back(c);
  }
  return symbols;
}

void append_counts(const std::vector<NgramCounts>& orders, std::vector<ChrfStatistics>& by_reference) {
  for (const NgramCounts& counts : orders) {
    for (size_t r = 0; r < by_reference.size(); ++r) {
      // An order for which the reference is too short does not lower the score.
      const int64_t hypothesis = counts.reference[r] > 0 ? counts.hypothesis : 0;
      by_reference[r].push_back({hypothesis, counts.reference[r], counts.matched[r]});
    }
  }
}

/// `lines`: the hypothesis, then its references.
ChrfStatistics segment_statistics(const std::vector<const std::string*>& lines, const ChrfOptions& options,
                                  NgramCounter& counter) {
  std::vector<std::string> texts;
  for (const std::string* line : lines) texts.push_back(options.lowercase ? to_lower(*line) : *line);
  std::vector<Symbols> by_character, by_word;
  WordNumbers numbers;
  for (const std::string& text : texts) {
    by_character.push_back(characters(text, options.whitespace));
    if (options.word_order > 0) by_word.push_back(numbers(split_marks(text)));
  }
  std::vector<ChrfStatistics> by_reference(lines.size() - 1);
  append_counts(counter.count(by_character, options.char_order), by_reference);
  if (options.word_order > 0) append_counts(counter.count(by_word, options.word_order), by_reference);
  return *std::max_element(by_reference.begin(), by_reference.end(), [&](const auto& a, const auto& b) {
    return chrf_score(a, options).score < chrf_score(b, options).score;
  });
}

/// Averages precision and recall over the orders that both sides have; with eps_smoothing, averages the score over all
/// orders.
template <typename Real>
class ChrfAverage {
 public:
  explicit ChrfAverage(const ChrfOptions& options)
      : options_(options), factor_(static_cast<Real>(options.beta) * static_cast<Real>(options.beta)) {}

  void add(Real hypothesis, Real reference, Real matched) {
    const Real precision = hypothesis > 0 ? matched / hypothesis : kEpsilon;
    const Real recall = reference > 0 ? matched / reference : kEpsilon;
    const Real weighted = factor_ * precision + recall;
    scores_ += weighted > 0 ? (1 + factor_) * precision * recall / weighted : kEpsilon;
    counted_ = counted_ || (weighted > 0 && (hypothesis > 0 || reference > 0));
    ++orders_;
    if (hypothesis == 0 || reference == 0) return;
    precisions_ += precision;
    recalls_ += recall;
    ++shared_orders_;
  }

  /// Whether the sum of scores depends on a count; otherwise it is a constant.
  bool counted() const { return counted_; }

  Real score() const {
    if (options_.eps_smoothing && orders_ > 0) return 100 * scores_ / static_cast<Real>(orders_);
    if (precisions_ + recalls_ == 0) return 0;
    const Real precision = precisions_ / static_cast<Real>(shared_orders_);
    const Real recall = recalls_ / static_cast<Real>(shared_orders_);
    return 100 * ((1 + factor_) * precision * recall / (factor_ * precision + recall));
  }

 private:
  static constexpr Real kEpsilon = static_cast<Real>(1e-16);

  const ChrfOptions& options_;
  Real factor_, scores_ = 0, precisions_ = 0, recalls_ = 0;
  int orders_ = 0, shared_orders_ = 0;
  bool counted_ = false;
};

}  // namespace

std::vector<ChrfStatistics> chrf_statistics(const std::vector<std::string>& hypotheses, const References& references,
                                            const ChrfOptions& options, int threads) {
  std::vector<ChrfStatistics> statistics(hypotheses.size());
  std::vector<NgramCounter> counters(static_cast<size_t>(std::max(threads, 1)));
  for_each_segment(hypotheses, references, threads,
                   [&](size_t segment, int worker, const std::vector<const std::string*>& lines) {
                     auto& counter = counters[static_cast<size_t>(worker)];
                     statistics[segment] = segment_statistics(lines, options, counter);
                   });
  return statistics;
}

ChrfScore chrf_score(const ChrfStatistics& statistics, const ChrfOptions& options) {
  ChrfAverage<double> average(options);
  for (const ChrfCounts& counts : statistics) {
    average.add(static_cast<double>(counts.hypothesis), static_cast<double>(counts.reference),
                static_cast<double>(counts.matched));
  }
  return {average.score()};
}

ResampledScore resampled_chrf(std::span<const float> sums, const ChrfOptions& options) {
  ChrfAverage<float> average(options);
  for (size_t i = 0; i + 2 < sums.size(); i += 3) average.add(sums[i], sums[i + 1], sums[i + 2]);
  const float score = average.score();
  return {score, options.eps_smoothing ? average.counted() : score != 0};
}

ChrfScore corpus_chrf(const std::vector<std::string>& hypotheses, const References& references,
                      const ChrfOptions& options) {
  ChrfStatistics sum(static_cast<size_t>(options.char_order + options.word_order));
  for (const ChrfStatistics& segment : chrf_statistics(hypotheses, references, options)) {
    for (size_t n = 0; n < sum.size(); ++n) {
      sum[n].hypothesis += segment[n].hypothesis;
      sum[n].reference += segment[n].reference;
      sum[n].matched += segment[n].matched;
    }
  }
  return chrf_score(sum, options);
}

ChrfScore sentence_chrf(const std::string& hypothesis, const std::vector<std::string>& references,
                        const ChrfOptions& options) {
  return corpus_chrf({hypothesis}, columns_of(references), options);
}

}  // namespace ventris::metrics
