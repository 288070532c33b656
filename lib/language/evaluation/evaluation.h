#pragma once
#include <string>
#include <vector>

#include "evaluation/score_report.h"
#include "evaluation/systems.h"
#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/segments.h"
#include "metrics/ter.h"

namespace ventris::evaluation {

enum class MetricKind { kBleu, kChrf, kTer };

/// The names of the metrics on the command line, in the order of the enumeration.
const std::vector<std::string>& metric_names();

/// The options of `ventris-evaluate`.
struct EvaluationOptions {
  std::vector<MetricKind> metrics{MetricKind::kBleu};  ///< each once, in the order of the result
  bool sentence_level = false;  ///< one line of text per sentence (BLEU: effective order); one metric, one system
  metrics::BleuOptions bleu;
  metrics::ChrfOptions chrf;
  metrics::TerOptions ter;
  SignificanceTest test = SignificanceTest::kNone;
  metrics::ResamplingOptions resampling;  ///< of that test; its number of threads applies everywhere
  ReportOptions report;
};

/// One set of hypotheses.
struct System {
  std::string name;
  std::vector<std::string> lines;
};

/// Throws ConfigError with the flags if some cannot be used together or with this number of systems. Options of metrics
/// that are not requested are not checked.
void check(const EvaluationOptions& options, size_t systems = 1);

/// The scores as text or JSON. Throws as check() does, and std::invalid_argument if the numbers of lines differ.
std::string evaluate(const std::vector<System>& systems, const metrics::References& references,
                     const EvaluationOptions& options);

}  // namespace ventris::evaluation
