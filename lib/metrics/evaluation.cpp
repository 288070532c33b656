#include "metrics/evaluation.h"

#include <cmath>

#include "core/error.h"

namespace ventris::metrics {
namespace {

using Lines = std::vector<std::string>;

std::string corpus_scores(const Lines& hypotheses, const References& references, const EvaluationOptions& options) {
  std::vector<Report> reports;
  for (const Metric metric : options.metrics) {
    if (metric == Metric::kBleu) {
      const auto score = corpus_bleu(hypotheses, references, options.bleu);
      reports.push_back(bleu_report(score, options.bleu, references.size()));
    } else {
      const auto score = corpus_chrf(hypotheses, references, options.chrf);
      reports.push_back(chrf_report(score, options.chrf, references.size()));
    }
  }
  return format_reports(reports, options.report);
}

std::string sentence_scores(const Lines& hypotheses, const References& references, EvaluationOptions options) {
  options.report.format = ReportFormat::kText;
  options.bleu.effective_order = true;
  std::string result;
  const auto add = [&](const Report& report) { result += format_report(report, options.report) + '\n'; };
  if (options.metrics.at(0) == Metric::kBleu) {
    for (const auto& counts : bleu_statistics(hypotheses, references, options.bleu)) {
      add(bleu_report(bleu_score(counts, options.bleu), options.bleu, references.size()));
    }
  } else {
    for (const auto& counts : chrf_statistics(hypotheses, references, options.chrf)) {
      add(chrf_report(chrf_score(counts, options.chrf), options.chrf, references.size()));
    }
  }
  return result;
}

}  // namespace

void check(const EvaluationOptions& options) {
  if (options.sentence_level && options.metrics.size() > 1) {
    fail<ConfigError>("--sentence-level: one metric at a time; choose with --metrics bleu or --metrics chrf");
  }
  const auto smoothing = options.bleu.smoothing;
  if (options.bleu.smooth_value && smoothing != Smoothing::kFloor && smoothing != Smoothing::kAddK) {
    fail<ConfigError>("--smooth-value: only --smooth-method floor and add-k have a value");
  }
  if (options.bleu.smooth_value && std::isnan(*options.bleu.smooth_value)) {
    fail<ConfigError>("--smooth-value: expected a number from 0 on, found nan");
  }
}

std::string evaluate(const Lines& hypotheses, const References& references, const EvaluationOptions& options) {
  check(options);
  return options.sentence_level ? sentence_scores(hypotheses, references, options)
                                : corpus_scores(hypotheses, references, options);
}

}  // namespace ventris::metrics
