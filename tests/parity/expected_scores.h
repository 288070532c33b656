#pragma once
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "evaluation/metric.h"

/// What the two parity tests of metrics share: settings and figures out of make_metrics_expected.py's files.
namespace ventris::metrics {

using Lines = std::vector<std::string>;

inline constexpr double kTolerance = 1e-9;

template <typename E>
E choice(const Lines& names, const std::string& name) {
  return static_cast<E>(std::find(names.begin(), names.end(), name) - names.begin());
}

inline BleuOptions bleu_options(const std::string& tokenization, const std::string& smoothing, bool lowercase) {
  static const auto pieces = std::make_shared<const text::PieceEncoder>(
      text::PieceEncoder::from_file(VENTRIS_SOURCE "/tests/parity/metrics.spm"));
  BleuOptions options;
  options.tokenization = choice<Tokenization>(tokenization_names(), tokenization);
  options.smoothing = choice<Smoothing>(smoothing_names(), smoothing);
  options.lowercase = lowercase;
  options.pieces = pieces;
  return options;
}

inline ChrfOptions chrf_options(const nlohmann::json& entry) {
  ChrfOptions options;
  options.char_order = entry.value("char_order", options.char_order);
  options.word_order = entry.value("word_order", options.word_order);
  options.beta = entry.value("beta", options.beta);
  options.lowercase = entry.value("lowercase", options.lowercase);
  options.whitespace = entry.value("whitespace", options.whitespace);
  options.eps_smoothing = entry.value("eps_smoothing", options.eps_smoothing);
  return options;
}

inline TerOptions ter_options(const nlohmann::json& entry) {
  return {entry.at("normalized"), entry.at("no_punct"), entry.at("asian_support"), entry.at("case_sensitive")};
}

inline std::unique_ptr<evaluation::Metric> metric_called(const std::string& name) {
  if (name == "BLEU") return evaluation::make_metric(BleuOptions{});
  return name == "CHRF" ? evaluation::make_metric(ChrfOptions{}) : evaluation::make_metric(TerOptions{});
}

/// The "confidence" and "paired" entries of `expected`. The samples are the same, and so p-values are equal; means and
/// intervals differ by rounding alone.
inline void expect_same_significance(const std::vector<Lines>& systems, const References& references,
                                     const nlohmann::json& expected) {
  for (const auto& entry : expected.at("confidence")) {
    const auto metric = metric_called(entry.at("metric"));
    const auto found = bootstrap_confidence(metric->count(systems[0], references, 2), metric->scorer(),
                                            {entry.at("samples"), 12345, 2});
    EXPECT_NEAR(found.mean, entry.at("mean").get<double>(), kTolerance) << entry;
    EXPECT_NEAR(found.interval, entry.at("interval").get<double>(), kTolerance) << entry;
  }
  for (const auto& entry : expected.at("paired")) {
    const auto metric = metric_called(entry.at("metric"));
    std::vector<CountTable> tables;
    for (const Lines& system : systems) tables.push_back(metric->count(system, references, 2));
    const ResamplingOptions options{entry.at("samples"), 12345, 2};
    const bool bootstrap = entry.at("test") == "bs";
    const auto found = bootstrap ? paired_bootstrap(tables, metric->scorer(), options)
                                 : paired_randomization(tables, metric->scorer(), options);
    for (size_t s = 0; s < systems.size(); ++s) {
      const auto& system = entry.at("systems").at(s);
      EXPECT_NEAR(metric->scorer().exact(tables[s].sums()), system.at("score").get<double>(), kTolerance) << entry;
      const double p_value = s > 0 ? system.at("p_value").get<double>() : 1;
      EXPECT_NEAR(found[s].p_value, p_value, kTolerance) << entry;
      if (!bootstrap) continue;
      EXPECT_NEAR(found[s].confidence.mean, system.at("mean").get<double>(), kTolerance) << entry;
      EXPECT_NEAR(found[s].confidence.interval, system.at("interval").get<double>(), kTolerance) << entry;
    }
  }
}

}  // namespace ventris::metrics
