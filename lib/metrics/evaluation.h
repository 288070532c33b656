#pragma once
#include <string>
#include <vector>

#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/report.h"
#include "metrics/segments.h"

namespace ventris::metrics {

enum class Metric { kBleu, kChrf };

/// What `ventris-evaluate` computes and how it prints it.
struct EvaluationOptions {
  std::vector<Metric> metrics{Metric::kBleu};  ///< each once, in the order of the result
  bool sentence_level = false;  ///< a line of text a sentence (BLEU: effective order); one metric only
  BleuOptions bleu;
  ChrfOptions chrf;
  ReportOptions report;
};

/// Throws ConfigError naming the flags that do not fit together.
void check(const EvaluationOptions& options);

/// The scores, ready to be printed. Throws as check() does, and std::invalid_argument if the counts of lines differ.
std::string evaluate(const std::vector<std::string>& hypotheses, const References& references,
                     const EvaluationOptions& options);

}  // namespace ventris::metrics
