#pragma once
#include <optional>
#include <string>
#include <vector>

#include "evaluation/score_report.h"
#include "metrics/resampling.h"

/// Tables with the scores of several systems, in the format of sacreBLEU.
namespace ventris::evaluation {

/// The kind of significance test.
enum class SignificanceTest {
  kNone,
  kConfidence,          ///< confidence interval of one system's score
  kPairedBootstrap,     ///< each system against the first, by bootstrap resampling
  kPairedRandomization  ///< each system against the first, by approximate randomization
};

struct SystemScore {
  double score = 0;
  std::optional<metrics::Confidence> confidence = {};
  std::optional<double> p_value = {};  ///< empty for the baseline
};

/// The scores of all systems for one metric.
struct SystemScores {
  std::string metric;     ///< "BLEU"
  std::string signature;
  std::vector<SystemScore> scores;  ///< [systems]
};

struct Comparison {
  std::vector<std::string> systems;  ///< their names; the first is the baseline of a paired test
  SignificanceTest test = SignificanceTest::kNone;
  size_t samples = 0;  ///< of that test
  std::vector<SystemScores> metrics = {};
};

/// A table and the signatures of the metrics, or a JSON array with one object per system. Ends with a line end.
std::string format_comparison(const Comparison& comparison, const ReportOptions& options = {});

}  // namespace ventris::evaluation
