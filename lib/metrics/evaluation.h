#pragma once
#include <string>
#include <vector>

#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/report.h"
#include "metrics/segments.h"
#include "metrics/systems.h"
#include "metrics/ter.h"

namespace ventris::metrics {

enum class MetricKind { kBleu, kChrf, kTer };

/// Every metric's name on the command line, in the order of the enumeration.
const std::vector<std::string>& metric_names();

/// What `ventris-evaluate` computes and how it prints it.
struct EvaluationOptions {
  std::vector<MetricKind> metrics{MetricKind::kBleu};  ///< each once, in the order of the result
  bool sentence_level = false;  ///< a line of text a sentence (BLEU: effective order); one metric of one system only
  BleuOptions bleu;
  ChrfOptions chrf;
  TerOptions ter;
  SignificanceTest test = SignificanceTest::kNone;
  ResamplingOptions resampling;  ///< of that test; its threads count everywhere
  ReportOptions report;
};

/// Somebody's translations.
struct System {
  std::string name;
  std::vector<std::string> lines;
};

/// Throws ConfigError naming the flags that do not fit together, or not to so many systems. What is set of metrics that
/// are not asked for is not looked at.
void check(const EvaluationOptions& options, size_t systems = 1);

/// The scores, ready to be printed. Throws as check() does, and std::invalid_argument if the counts of lines differ.
std::string evaluate(const std::vector<System>& systems, const References& references,
                     const EvaluationOptions& options);

}  // namespace ventris::metrics
