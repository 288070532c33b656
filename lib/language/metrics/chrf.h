#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "metrics/resampling.h"
#include "metrics/segments.h"

/// chrF (Popovic 2015) and chrF++ (Popovic 2017) with the numbers of sacreBLEU 2.6.
namespace ventris::metrics {

struct ChrfOptions {
  int char_order = 6;          ///< maximum order of character n-grams; 0 = none
  int word_order = 0;          ///< maximum order of word n-grams; 2 = chrF++
  int beta = 2;                ///< recall counts beta times as much as precision
  bool lowercase = false;
  bool whitespace = false;     ///< include white space in character n-grams
  bool eps_smoothing = false;  ///< average F over all orders, as chrF++.py does, not only over those of both sides
};

/// Counts of one n-gram order.
struct ChrfCounts {
  int64_t hypothesis = 0;
  int64_t reference = 0;
  int64_t matched = 0;
};

/// Character orders, then word orders; of one segment (with the reference that scores best), or sums over many.
using ChrfStatistics = std::vector<ChrfCounts>;

struct ChrfScore {
  double score = 0;  ///< in [0, 100]
};

/// The counts of every segment, on `threads` threads.
/// Throws std::invalid_argument if there are no references or not as many as hypotheses.
std::vector<ChrfStatistics> chrf_statistics(const std::vector<std::string>& hypotheses, const References& references,
                                            const ChrfOptions& options = {}, int threads = 1);

ChrfScore chrf_score(const ChrfStatistics& statistics, const ChrfOptions& options = {});

/// chrF of counts [3 * orders] that were summed in single precision: n-grams of hypothesis, of reference, and matched.
ResampledScore resampled_chrf(std::span<const float> sums, const ChrfOptions& options);

/// Corpus-level chrF: the score of the summed counts; 0 if there are no lines. Throws as chrf_statistics() does.
ChrfScore corpus_chrf(const std::vector<std::string>& hypotheses, const References& references,
                      const ChrfOptions& options = {});

/// chrF of one segment with its best reference. Throws std::invalid_argument if there are no references.
ChrfScore sentence_chrf(const std::string& hypothesis, const std::vector<std::string>& references,
                        const ChrfOptions& options = {});

}  // namespace ventris::metrics
