#pragma once
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evaluation/score_report.h"

/// Alignment error rate (Och and Ney 2003) of word alignments in Pharaoh format: "0-0 1-2", source-target positions.
namespace ventris::evaluation {

using Link = std::pair<int, int>;  ///< positions of a source and a target word

/// The manual alignment of a sentence pair. Sure links are also possible links.
struct GoldAlignment {
  std::set<Link> sure;
  std::set<Link> possible;
};

/// How the files of alignments number the words.
struct AlignmentOptions {
  int base = 0;            ///< number of the first word in the alignment that is evaluated, 0 or 1
  int gold_base = 0;       ///< the same in the gold alignment
  bool swap_gold = false;  ///< the gold alignment has target-source positions
};

/// Counts of one sentence pair, or sums over many.
struct AlignmentCounts {
  int64_t links = 0;             ///< in the alignment that is evaluated
  int64_t sure = 0;              ///< sure links in the gold alignment
  int64_t matched_sure = 0;      ///< those of `links` that are sure
  int64_t matched_possible = 0;  ///< those of `links` that are sure or possible

  AlignmentCounts& operator+=(const AlignmentCounts& other);
};

/// All values are in [0, 1]. Without any links, precision and recall are 1.
struct AlignmentScore {
  double precision = 1;  ///< share of the links that are possible
  double recall = 1;     ///< share of the sure links that were found
  double error_rate = 0;
};

/// Parses "0-0 1-2"; repeated links count once. Throws DataError, beginning with `where`, for anything else.
std::set<Link> parse_alignment(std::string_view line, const std::string& where);

/// Parses sure links "1-2" and possible links "1?2", "1p2" or "p1-2". Throws DataError as above.
GoldAlignment parse_gold_alignment(std::string_view line, const std::string& where);

AlignmentCounts count_links(const std::set<Link>& links, const GoldAlignment& gold);
AlignmentScore alignment_score(const AlignmentCounts& counts);

/// Reads both files, one sentence pair per line, and returns the scores as text or JSON. Logs a warning if the files
/// seem to number the words in different ways, because another way of AlignmentOptions gives a much lower error rate.
/// Throws DataError for a file that cannot be read, a bad line, a position below the base, or different numbers of
/// lines; ConfigError if both are standard input.
std::string evaluate_alignments(const std::string& path, const std::string& gold_path,
                                const AlignmentOptions& alignment, const ReportOptions& options);

}  // namespace ventris::evaluation
