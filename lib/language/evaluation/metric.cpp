#include "evaluation/metric.h"

#include <cmath>

namespace ventris::evaluation {

using metrics::bleu_score;
using metrics::bleu_statistics;
using metrics::BleuOptions;
using metrics::BleuStatistics;
using metrics::chrf_score;
using metrics::chrf_statistics;
using metrics::ChrfCounts;
using metrics::ChrfOptions;
using metrics::ChrfStatistics;
using metrics::CountTable;
using metrics::kBleuOrder;
using metrics::References;
using metrics::resampled_bleu;
using metrics::resampled_chrf;
using metrics::resampled_ter;
using metrics::Scorer;
using metrics::smooth_value;
using metrics::Smoothing;
using metrics::ter_score;
using metrics::ter_statistics;
using metrics::TerOptions;
using metrics::TerStatistics;

namespace {

int64_t whole(double count) { return static_cast<int64_t>(count); }

BleuStatistics bleu_counts(std::span<const double> sums) {
  BleuStatistics statistics;
  statistics.hyp_length = whole(sums[0]);
  statistics.ref_length = whole(sums[1]);
  for (size_t n = 0; n < kBleuOrder; ++n) {
    statistics.matched[n] = whole(sums[2 + n]);
    statistics.total[n] = whole(sums[2 + kBleuOrder + n]);
  }
  return statistics;
}

ChrfStatistics chrf_counts(std::span<const double> sums) {
  ChrfStatistics statistics;
  for (size_t i = 0; i + 2 < sums.size(); i += 3) {
    statistics.push_back({whole(sums[i]), whole(sums[i + 1]), whole(sums[i + 2])});
  }
  return statistics;
}

class BleuMetric : public Metric {
 public:
  explicit BleuMetric(BleuOptions options) : options_(std::move(options)) {}

  CountTable count(const std::vector<std::string>& hypotheses, const References& references,
                   int threads) const override {
    CountTable table{2 + 2 * kBleuOrder};
    for (const BleuStatistics& segment : bleu_statistics(hypotheses, references, options_, threads)) {
      auto& values = table.values;
      values.push_back(static_cast<double>(segment.hyp_length));
      values.push_back(static_cast<double>(segment.ref_length));
      values.insert(values.end(), segment.matched.begin(), segment.matched.end());
      values.insert(values.end(), segment.total.begin(), segment.total.end());
    }
    return table;
  }

  ReportedScore report(std::span<const double> sums, size_t references) const override {
    return bleu_report(bleu_score(bleu_counts(sums), options_), options_, references);
  }

  Scorer scorer() const override {
    // NumPy keeps shuffled counts as integers, and so drops the fractional part of the add-k value.
    BleuOptions whole_steps = options_;
    if (options_.smoothing == Smoothing::kAddK) whole_steps.smooth_value = std::floor(*smooth_value(options_));
    const auto score_with = [](const BleuOptions& options) {
      return [options](std::span<const double> sums) { return bleu_score(bleu_counts(sums), options).score; };
    };
    return {score_with(options_),
            [options = options_](std::span<const float> sums) { return resampled_bleu(sums, options); },
            score_with(whole_steps)};
  }

 private:
  BleuOptions options_;
};

class ChrfMetric : public Metric {
 public:
  explicit ChrfMetric(const ChrfOptions& options) : options_(options) {}

  CountTable count(const std::vector<std::string>& hypotheses, const References& references,
                   int threads) const override {
    CountTable table{3 * static_cast<size_t>(options_.char_order + options_.word_order)};
    for (const ChrfStatistics& segment : chrf_statistics(hypotheses, references, options_, threads)) {
      for (const ChrfCounts& counts : segment) {
        table.values.push_back(static_cast<double>(counts.hypothesis));
        table.values.push_back(static_cast<double>(counts.reference));
        table.values.push_back(static_cast<double>(counts.matched));
      }
    }
    return table;
  }

  ReportedScore report(std::span<const double> sums, size_t references) const override {
    return chrf_report(chrf_score(chrf_counts(sums), options_), options_, references);
  }

  Scorer scorer() const override {
    const auto score = [options = options_](std::span<const double> sums) {
      return chrf_score(chrf_counts(sums), options).score;
    };
    return {score, [options = options_](std::span<const float> sums) { return resampled_chrf(sums, options); }, score};
  }

 private:
  ChrfOptions options_;
};

class TerMetric : public Metric {
 public:
  explicit TerMetric(const TerOptions& options) : options_(options) {}

  CountTable count(const std::vector<std::string>& hypotheses, const References& references,
                   int threads) const override {
    CountTable table{2};
    for (const TerStatistics& segment : ter_statistics(hypotheses, references, options_, threads)) {
      table.values.push_back(static_cast<double>(segment.edits));
      table.values.push_back(segment.ref_length);
    }
    return table;
  }

  ReportedScore report(std::span<const double> sums, size_t references) const override {
    return ter_report(ter_score({whole(sums[0]), sums[1]}), options_, references);
  }

  Scorer scorer() const override {
    const auto score = [](std::span<const double> sums) { return ter_score({whole(sums[0]), sums[1]}).score; };
    return {score, resampled_ter, score};
  }

 private:
  TerOptions options_;
};

}  // namespace

std::unique_ptr<Metric> make_metric(const BleuOptions& options) { return std::make_unique<BleuMetric>(options); }
std::unique_ptr<Metric> make_metric(const ChrfOptions& options) { return std::make_unique<ChrfMetric>(options); }
std::unique_ptr<Metric> make_metric(const TerOptions& options) { return std::make_unique<TerMetric>(options); }

}  // namespace ventris::evaluation
