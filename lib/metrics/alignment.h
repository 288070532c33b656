#pragma once
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "metrics/report.h"

/// Alignment error rate (Och and Ney 2003) of word alignments on Pharaoh lines: "0-0 1-2", source and target positions.
namespace ventris::metrics {

using Link = std::pair<int, int>;  ///< positions of a source and a target word, as they are written

/// The links that people made of a sentence pair. Sure ones are possible ones too.
struct GoldAlignment {
  std::set<Link> sure;
  std::set<Link> possible;
};

/// What is counted, of one sentence or summed over many.
struct AlignmentCounts {
  int64_t links = 0;             ///< of the alignment that is judged
  int64_t sure = 0;              ///< of the gold alignment
  int64_t matched_sure = 0;      ///< of `links`, sure
  int64_t matched_possible = 0;  ///< of `links`, sure or possible

  AlignmentCounts& operator+=(const AlignmentCounts& other);
};

/// All in [0, 1]; of nothing at all, precision and recall are 1.
struct AlignmentScore {
  double precision = 1;  ///< share of the links that are possible
  double recall = 1;     ///< share of the sure links that were found
  double error_rate = 0;
};

/// "0-0 1-2"; links written twice count once. Throws DataError, beginning with `where`, for anything else.
std::set<Link> parse_alignment(std::string_view line, const std::string& where);

/// Sure links "1-2", possible ones "1?2", "1p2" or "p1-2". Throws DataError as above.
GoldAlignment parse_gold_alignment(std::string_view line, const std::string& where);

AlignmentCounts count_links(const std::set<Link>& links, const GoldAlignment& gold);
AlignmentScore alignment_score(const AlignmentCounts& counts);

/// Reads both files, a sentence pair a line, and scores them, ready to be printed. Throws DataError for a file that
/// cannot be read, a bad line, or different numbers of lines; ConfigError if both are standard input.
std::string evaluate_alignments(const std::string& path, const std::string& gold_path, const ReportOptions& options);

}  // namespace ventris::metrics
