#include "metrics/evaluation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::metrics {
namespace {

const std::vector<std::string> kHypotheses{"The cat sat on the mat .", "Hallo, Welt!"};
const References kReferences{{"The cat sat on a mat.", "Hallo Welt!"}};

EvaluationOptions bare(std::vector<Metric> metrics) {
  EvaluationOptions options;
  options.metrics = std::move(metrics);
  options.report = {ReportFormat::kText, 1, true};
  return options;
}

TEST(Evaluation, EachMetricIsALineInTheOrderAskedFor) {
  EXPECT_EQ(evaluate(kHypotheses, kReferences, bare({Metric::kBleu})), "40.1\n");
  EXPECT_EQ(evaluate(kHypotheses, kReferences, bare({Metric::kBleu, Metric::kChrf})), "40.1\n67.0\n");
  EXPECT_EQ(evaluate(kHypotheses, kReferences, bare({Metric::kChrf, Metric::kBleu})), "67.0\n40.1\n");
}

TEST(Evaluation, SentencesAreLinesOfTextWhateverTheFormat) {
  for (const Metric metric : {Metric::kBleu, Metric::kChrf}) {
    EvaluationOptions options = bare({metric});
    options.sentence_level = true;
    options.report.format = ReportFormat::kJson;
    EXPECT_EQ(evaluate({"same", "other"}, {{"same", "xyz"}}, options).substr(0, 6), "100.0\n");
  }
}

TEST(Evaluation, FlagsThatDoNotFitTogetherAreNamed) {
  EvaluationOptions both = bare({Metric::kBleu, Metric::kChrf});
  both.sentence_level = true;
  EXPECT_FAILS(check(both), ConfigError, "--sentence-level: one metric at a time");
  EvaluationOptions valued = bare({Metric::kBleu});
  valued.bleu.smooth_value = 1;
  EXPECT_FAILS(evaluate(kHypotheses, kReferences, valued), ConfigError, "--smooth-value: only --smooth-method floor");
  valued.bleu.smoothing = Smoothing::kFloor;
  EXPECT_NO_THROW(check(valued));
  valued.bleu.smooth_value = std::nan("");
  EXPECT_FAILS(check(valued), ConfigError, "--smooth-value: expected a number from 0 on, found nan");
}

}  // namespace
}  // namespace ventris::metrics
