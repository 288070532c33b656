#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "evaluation/score_report.h"
#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/resampling.h"
#include "metrics/segments.h"
#include "metrics/ter.h"

namespace ventris::evaluation {

/// A metric with its settings. Code that prints and tests scores works with any metric.
class Metric {
 public:
  virtual ~Metric() = default;

  /// The counts of every segment. Throws std::invalid_argument as bleu_statistics() and the others do.
  virtual metrics::CountTable count(const std::vector<std::string>& hypotheses, const metrics::References& references,
                                    int threads) const = 0;

  /// The score of one row of the table, or of a sum of rows.
  virtual ReportedScore report(std::span<const double> sums, size_t references) const = 0;

  virtual metrics::Scorer scorer() const = 0;
};

std::unique_ptr<Metric> make_metric(const metrics::BleuOptions& options);
std::unique_ptr<Metric> make_metric(const metrics::ChrfOptions& options);
std::unique_ptr<Metric> make_metric(const metrics::TerOptions& options);

}  // namespace ventris::evaluation
