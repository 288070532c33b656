#include "metrics/chrf.h"

#include <algorithm>
#include <string_view>

#include "metrics/ngrams.h"
#include "metrics/unicode.h"

namespace ventris::metrics {
namespace {

constexpr double kEpsilon = 1e-16;
constexpr std::string_view kPunctuation = R"(!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~)";

bool is_punctuation(char c) { return kPunctuation.find(c) != std::string_view::npos; }

/// Words with one punctuation mark split off, at the end or else at the start: "(hi)" becomes "(hi" and ")".
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
      // An order that the reference is too short for does not count against the hypothesis.
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

double divide(int64_t part, int64_t whole) { return static_cast<double>(part) / static_cast<double>(whole); }

}  // namespace

std::vector<ChrfStatistics> chrf_statistics(const std::vector<std::string>& hypotheses, const References& references,
                                            const ChrfOptions& options) {
  std::vector<ChrfStatistics> statistics;
  statistics.reserve(hypotheses.size());
  NgramCounter counter;
  for_each_segment(hypotheses, references, [&](const std::vector<const std::string*>& lines) {
    statistics.push_back(segment_statistics(lines, options, counter));
  });
  return statistics;
}

ChrfScore chrf_score(const ChrfStatistics& statistics, const ChrfOptions& options) {
  const double factor = static_cast<double>(options.beta) * options.beta;
  double sum_of_scores = 0, precision_sum = 0, recall_sum = 0;
  int shared_orders = 0;
  for (const ChrfCounts& counts : statistics) {
    const double precision = counts.hypothesis > 0 ? divide(counts.matched, counts.hypothesis) : kEpsilon;
    const double recall = counts.reference > 0 ? divide(counts.matched, counts.reference) : kEpsilon;
    const double weighted = factor * precision + recall;
    sum_of_scores += weighted > 0 ? (1 + factor) * precision * recall / weighted : kEpsilon;
    if (counts.hypothesis == 0 || counts.reference == 0) continue;
    precision_sum += precision;
    recall_sum += recall;
    ++shared_orders;
  }
  if (options.eps_smoothing && !statistics.empty()) {
    return {100 * sum_of_scores / static_cast<double>(statistics.size())};
  }
  if (precision_sum + recall_sum == 0) return {};
  const double precision = precision_sum / shared_orders, recall = recall_sum / shared_orders;
  return {100 * (1 + factor) * precision * recall / (factor * precision + recall)};
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
  std::vector<std::vector<std::string>> columns;
  for (const std::string& reference : references) columns.push_back({reference});
  return corpus_chrf({hypothesis}, columns, options);
}

}  // namespace ventris::metrics
