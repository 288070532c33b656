#include "evaluation/metric.h"

#include <gtest/gtest.h>

namespace ventris::evaluation {

using metrics::BleuOptions;
using metrics::ChrfOptions;
using metrics::corpus_bleu;
using metrics::corpus_chrf;
using metrics::corpus_ter;
using metrics::References;
using metrics::TerOptions;

namespace {

const std::vector<std::string> kTranslations{"The cat sat on the mat .", "Hallo, Welt!"};
const References kTheirReferences{{"The cat sat on a mat.", "Hallo Welt!"}};

TEST(Metric, TablesAndScorersSayWhatTheFunctionsSay) {
  const auto score = [](const Metric& metric) {
    return metric.scorer().exact(metric.count(kTranslations, kTheirReferences, 1).sums());
  };
  EXPECT_DOUBLE_EQ(score(*make_metric(BleuOptions{})), corpus_bleu(kTranslations, kTheirReferences).score);
  EXPECT_DOUBLE_EQ(score(*make_metric(ChrfOptions{})), corpus_chrf(kTranslations, kTheirReferences).score);
  EXPECT_DOUBLE_EQ(score(*make_metric(TerOptions{})), corpus_ter(kTranslations, kTheirReferences).score);
}

TEST(Metric, ResamplesAreScoredNearlyAsTheWhole) {
  for (const auto& metric : {make_metric(BleuOptions{}), make_metric(ChrfOptions{}), make_metric(TerOptions{})}) {
    const auto sums = metric->count(kTranslations, kTheirReferences, 1).sums();
    const std::vector<float> narrow(sums.begin(), sums.end());
    EXPECT_NEAR(metric->scorer().resampled(narrow).value, metric->scorer().exact(sums), 1e-4);
  }
}

TEST(Metric, ReportsCarryNameAndSignature) {
  const auto metric = make_metric(TerOptions{});
  const ReportedScore report = metric->report(metric->count(kTranslations, kTheirReferences, 1).sums(), 1);
  EXPECT_EQ(report.name, "TER");
  EXPECT_EQ(report.signature.substr(0, 26), "nrefs:1|case:lc|tok:tercom");
}

}  // namespace
}  // namespace ventris::evaluation
