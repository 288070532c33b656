#include "evaluation/evaluation.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/error.h"
#include "evaluation/metric.h"

namespace ventris::evaluation {

using metrics::bootstrap_confidence;
using metrics::CountTable;
using metrics::paired_bootstrap;
using metrics::paired_randomization;
using metrics::References;
using metrics::Smoothing;
using metrics::Tokenization;

namespace {

using Metrics = std::vector<std::unique_ptr<Metric>>;

Metrics chosen_metrics(const EvaluationOptions& options) {
  Metrics metrics;
  for (const MetricKind kind : options.metrics) {
    if (kind == MetricKind::kBleu) metrics.push_back(make_metric(options.bleu));
    if (kind == MetricKind::kChrf) metrics.push_back(make_metric(options.chrf));
    if (kind == MetricKind::kTer) metrics.push_back(make_metric(options.ter));
  }
  return metrics;
}

std::string sampling_key(const EvaluationOptions& options) {
  return options.test == SignificanceTest::kPairedRandomization ? "ar" : "bs";
}

std::string scores_of_one(const System& system, const References& references, const EvaluationOptions& options) {
  std::vector<ReportedScore> reports;
  for (const auto& metric : chosen_metrics(options)) {
    const CountTable table = metric->count(system.lines, references, options.resampling.threads);
    ReportedScore report = metric->report(table.sums(), references.size());
    if (options.test == SignificanceTest::kConfidence) {
      report.confidence = bootstrap_confidence(table, metric->scorer(), options.resampling);
      report.signature = add_sampling(report.signature, sampling_key(options), options.resampling);
    }
    reports.push_back(std::move(report));
  }
  return format_reports(reports, options.report);
}

std::string scores_of_sentences(const System& system, const References& references, EvaluationOptions options) {
  options.report.format = ReportFormat::kText;
  options.bleu.effective_order = true;
  const auto metrics = chosen_metrics(options);
  const CountTable table = metrics.at(0)->count(system.lines, references, options.resampling.threads);
  std::string result;
  for (size_t i = 0; i < table.segments(); ++i) {
    const auto row = std::span(table.values).subspan(i * table.width, table.width);
    result += format_report(metrics[0]->report(row, references.size()), options.report) + '\n';
  }
  return result;
}

SystemScores scores_of_all(const Metric& metric, const std::vector<System>& systems, const References& references,
                           const EvaluationOptions& options) {
  SystemScores column;
  std::vector<CountTable> tables;
  for (const System& system : systems) {
    tables.push_back(metric.count(system.lines, references, options.resampling.threads));
    const ReportedScore report = metric.report(tables.back().sums(), references.size());
    column.metric = report.name;
    column.signature = report.signature;
    column.scores.push_back({report.score});
  }
  if (options.test == SignificanceTest::kNone) return column;
  column.signature = add_sampling(column.signature, sampling_key(options), options.resampling);
  const bool bootstrap = options.test == SignificanceTest::kPairedBootstrap;
  const auto results = bootstrap ? paired_bootstrap(tables, metric.scorer(), options.resampling)
                                 : paired_randomization(tables, metric.scorer(), options.resampling);
  for (size_t s = 0; s < systems.size(); ++s) {
    if (bootstrap) column.scores[s].confidence = results[s].confidence;
    if (s > 0) column.scores[s].p_value = results[s].p_value;
  }
  return column;
}

std::string compare(const std::vector<System>& systems, const References& references,
                    const EvaluationOptions& options) {
  Comparison comparison;
  for (const System& system : systems) comparison.systems.push_back(system.name);
  if (options.test != SignificanceTest::kNone) comparison.systems[0] = "Baseline: " + comparison.systems[0];
  comparison.test = options.test;
  comparison.samples = options.resampling.samples;
  for (const auto& metric : chosen_metrics(options)) {
    comparison.metrics.push_back(scores_of_all(*metric, systems, references, options));
  }
  return format_comparison(comparison, options.report);
}

bool asks_for(const EvaluationOptions& options, MetricKind kind) {
  return std::find(options.metrics.begin(), options.metrics.end(), kind) != options.metrics.end();
}

void check_bleu(const EvaluationOptions& options) {
  const auto smoothing = options.bleu.smoothing;
  if (options.bleu.smooth_value && smoothing != Smoothing::kFloor && smoothing != Smoothing::kAddK) {
    fail<ConfigError>(
        "smooth_value (--smooth-value): can be used only with smooth_method (--smooth-method) floor or add-k");
  }
  if (options.bleu.smooth_value && std::isnan(*options.bleu.smooth_value)) {
    fail<ConfigError>("smooth_value (--smooth-value): expected a number of at least 0, found nan");
  }
  if (options.bleu.tokenization == Tokenization::kSpm && !options.bleu.pieces) {
    fail<ConfigError>(
        "tokenize (--tokenize) spm: needs a SentencePiece model; give its file as spm_model (--spm-model)");
  }
  if (options.bleu.tokenization != Tokenization::kSpm && options.bleu.pieces) {
    fail<ConfigError>("spm_model (--spm-model): can be used only with tokenize (--tokenize) spm");
  }
}

void check_chrf(const EvaluationOptions& options) {
  if (options.chrf.char_order + options.chrf.word_order == 0) {
    fail<ConfigError>(
        "char_order (--chrf-char-order) 0: expected n-grams of characters or of words; also give word_order "
        "(--chrf-word-order)");
  }
}

void check_sentence_level(const EvaluationOptions& options, size_t systems) {
  if (options.metrics.size() > 1) {
    fail<ConfigError>("--sentence-level: expected one metric; choose one with --metrics bleu, chrf or ter");
  }
  if (systems > 1) fail<ConfigError>("--sentence-level: expected one system, found ", systems, " inputs");
  if (options.test != SignificanceTest::kNone) {
    fail<ConfigError>(
        "--sentence-level: cannot be used with confidence intervals and paired tests; leave one of them out");
  }
}

}  // namespace

const std::vector<std::string>& metric_names() {
  static const std::vector<std::string> names{"bleu", "chrf", "ter"};
  return names;
}

void check(const EvaluationOptions& options, size_t systems) {
  if (asks_for(options, MetricKind::kBleu)) check_bleu(options);
  if (asks_for(options, MetricKind::kChrf)) check_chrf(options);
  if (options.sentence_level) check_sentence_level(options, systems);
  if (options.test == SignificanceTest::kConfidence && systems > 1) {
    fail<ConfigError>("--confidence: expected one system, found ", systems, " inputs; compare them with --paired-bs");
  }
  if (options.test != SignificanceTest::kNone && options.test != SignificanceTest::kConfidence && systems < 2) {
    fail<ConfigError>("--paired-bs, --paired-ar: expected two or more systems, the baseline first, found one input");
  }
}

std::string evaluate(const std::vector<System>& systems, const References& references,
                     const EvaluationOptions& options) {
  check(options, systems.size());
  if (options.sentence_level) return scores_of_sentences(systems[0], references, options);
  return systems.size() == 1 ? scores_of_one(systems[0], references, options) : compare(systems, references, options);
}

}  // namespace ventris::evaluation
