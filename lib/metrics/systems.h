#pragma once
#include <optional>
#include <string>
#include <vector>

#include "metrics/report.h"
#include "metrics/resampling.h"

/// Scores of several systems side by side, laid out as sacreBLEU does.
namespace ventris::metrics {

/// How sure scores or their differences are.
enum class SignificanceTest {
  kNone,
  kConfidence,          ///< a confidence interval of one system's scores
  kPairedBootstrap,     ///< each system against the first, by bootstrap resampling
  kPairedRandomization  ///< each system against the first, by approximate randomization
};

struct SystemScore {
  double score = 0;
  std::optional<Confidence> confidence = {};
  std::optional<double> p_value = {};  ///< none for the baseline
};

/// One metric's scores of all systems.
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

/// A table and the metrics' signatures, or a JSON array with an object a system. Ends in a line end.
std::string format_comparison(const Comparison& comparison, const ReportOptions& options = {});

}  // namespace ventris::metrics
