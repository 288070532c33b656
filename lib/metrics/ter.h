#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/resampling.h"
#include "metrics/segments.h"

/// TER (Snover et al. 2006) with the numbers of sacreBLEU 2.6, a port of Tercom.
namespace ventris::metrics {

struct TerOptions {
  bool normalized = false;      ///< entities unescaped, punctuation split off
  bool no_punctuation = false;  ///< . , ? : ; ! " ( ) are removed
  bool asian_support =
      false;   ///< with `normalized`, CJK characters stand alone; with `no_punctuation`, theirs goes too
  bool case_sensitive = false;
};

/// What TER counts, of one segment or summed over many.
struct TerStatistics {
  int64_t edits = 0;      ///< to the reference that needs fewest
  double ref_length = 0;  ///< words, averaged over the references

  TerStatistics& operator+=(const TerStatistics& other);
};

struct TerScore {
  double score = 0;  ///< 100 = as many edits as the reference has words; no upper bound
};

/// The line's words with a space between, as Tercom's normalisation leaves them.
std::string tokenize_tercom(std::string_view line, const TerOptions& options = {});

/// The counts of every segment, on so many threads.
/// Throws std::invalid_argument without references, or if their counts differ from the hypotheses'.
std::vector<TerStatistics> ter_statistics(const std::vector<std::string>& hypotheses, const References& references,
                                          const TerOptions& options = {}, int threads = 1);

/// 100 for edits against references without a word.
TerScore ter_score(const TerStatistics& statistics);

/// TER of counts [2] that were summed in single precision: edits, and words of the reference.
ResampledScore resampled_ter(std::span<const float> sums);

/// TER of a whole text: counts summed first, score last. Arguments and errors as ter_statistics(); 0 for no lines.
TerScore corpus_ter(const std::vector<std::string>& hypotheses, const References& references,
                    const TerOptions& options = {});

/// TER of one segment against its references. Throws std::invalid_argument without references.
TerScore sentence_ter(const std::string& hypothesis, const std::vector<std::string>& references,
                      const TerOptions& options = {});

}  // namespace ventris::metrics
