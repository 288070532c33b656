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
  bool normalized = false;      ///< unescape entities and split off punctuation
  bool no_punctuation = false;  ///< remove . , ? : ; ! " ( )
  bool asian_support =
      false;   ///< with `normalized`, split CJK characters; with `no_punctuation`, remove CJK punctuation
  bool case_sensitive = false;
};

/// The counts of TER for one segment, or sums over many.
struct TerStatistics {
  int64_t edits = 0;      ///< with the reference that needs the fewest
  double ref_length = 0;  ///< words, averaged over the references

  TerStatistics& operator+=(const TerStatistics& other);
};

struct TerScore {
  double score = 0;  ///< 100 = as many edits as reference words; can be higher
};

/// The words of the line after Tercom's normalisation, separated by spaces.
std::string tokenize_tercom(std::string_view line, const TerOptions& options = {});

/// The counts of every segment, on `threads` threads.
/// Throws std::invalid_argument if there are no references or not as many as hypotheses.
std::vector<TerStatistics> ter_statistics(const std::vector<std::string>& hypotheses, const References& references,
                                          const TerOptions& options = {}, int threads = 1);

/// The score of counts; 100 if there are edits but no reference words.
TerScore ter_score(const TerStatistics& statistics);

/// TER of counts [2] that were summed in single precision: edits, and words of the reference.
ResampledScore resampled_ter(std::span<const float> sums);

/// Corpus-level TER: the score of the summed counts; 0 if there are no lines. Throws as ter_statistics() does.
TerScore corpus_ter(const std::vector<std::string>& hypotheses, const References& references,
                    const TerOptions& options = {});

/// TER of one segment. Throws std::invalid_argument if there are no references.
TerScore sentence_ter(const std::string& hypothesis, const std::vector<std::string>& references,
                      const TerOptions& options = {});

}  // namespace ventris::metrics
