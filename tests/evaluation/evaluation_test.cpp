#include "evaluation/evaluation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::evaluation {

using metrics::References;
using metrics::Smoothing;
using metrics::Tokenization;

namespace {

const std::vector<System> kHypotheses{{"one", {"The cat sat on the mat .", "Hallo, Welt!"}}};
const References kReferences{{"The cat sat on a mat.", "Hallo Welt!"}};

EvaluationOptions bare(std::vector<MetricKind> metrics) {
  EvaluationOptions options;
  options.metrics = std::move(metrics);
  options.report = {ReportFormat::kText, 1, true};
  return options;
}

TEST(Evaluation, EachMetricIsALineInTheOrderAskedFor) {
  EXPECT_EQ(evaluate(kHypotheses, kReferences, bare({MetricKind::kBleu})), "40.1\n");
  EXPECT_EQ(evaluate(kHypotheses, kReferences, bare({MetricKind::kBleu, MetricKind::kChrf})), "40.1\n67.0\n");
  EXPECT_EQ(evaluate(kHypotheses, kReferences, bare({MetricKind::kChrf, MetricKind::kBleu})), "67.0\n40.1\n");
}

TEST(Evaluation, SentencesAreLinesOfTextWhateverTheFormat) {
  for (const MetricKind metric : {MetricKind::kBleu, MetricKind::kChrf}) {
    EvaluationOptions options = bare({metric});
    options.sentence_level = true;
    options.report.format = ReportFormat::kJson;
    EXPECT_EQ(evaluate({{"one", {"same", "other"}}}, {{"same", "xyz"}}, options).substr(0, 6), "100.0\n");
  }
}

TEST(Evaluation, FlagsThatDoNotFitTogetherAreNamed) {
  EvaluationOptions both = bare({MetricKind::kBleu, MetricKind::kChrf});
  both.sentence_level = true;
  EXPECT_FAILS(check(both), ConfigError, "--sentence-level: expected one metric");
  EvaluationOptions valued = bare({MetricKind::kBleu});
  valued.bleu.smooth_value = 1;
  EXPECT_FAILS(evaluate(kHypotheses, kReferences, valued), ConfigError,
               "smooth_value (--smooth-value): can be used only with smooth_method (--smooth-method) floor");
  valued.bleu.smoothing = Smoothing::kFloor;
  EXPECT_NO_THROW(check(valued));
  valued.bleu.smooth_value = std::nan("");
  EXPECT_FAILS(check(valued), ConfigError, "smooth_value (--smooth-value): expected a number of at least 0, found nan");
}

TEST(Evaluation, TerIsAMetricToo) {
  EXPECT_EQ(evaluate(kHypotheses, kReferences, bare({MetricKind::kTer})), "50.0\n");
  EvaluationOptions options = bare({MetricKind::kTer});
  options.sentence_level = true;
  EXPECT_EQ(evaluate(kHypotheses, kReferences, options), "50.0\n50.0\n");
}

TEST(Evaluation, ThreadsChangeNothing) {
  EvaluationOptions options = bare({MetricKind::kBleu, MetricKind::kChrf, MetricKind::kTer});
  options.test = SignificanceTest::kConfidence;
  const std::string alone = evaluate(kHypotheses, kReferences, options);
  options.resampling.threads = 3;
  EXPECT_EQ(evaluate(kHypotheses, kReferences, options), alone);
}

TEST(Evaluation, SentenceLevelAndTestsKnowHowManySystemsTheyTake) {
  EvaluationOptions sentences = bare({MetricKind::kBleu});
  sentences.sentence_level = true;
  EXPECT_FAILS(check(sentences, 2), ConfigError, "--sentence-level: expected one system, found 2 inputs");
  sentences.test = SignificanceTest::kConfidence;
  EXPECT_FAILS(check(sentences), ConfigError,
               "--sentence-level: cannot be used with confidence intervals and paired tests");
  EvaluationOptions test = bare({MetricKind::kBleu});
  test.test = SignificanceTest::kConfidence;
  EXPECT_FAILS(check(test, 3), ConfigError, "--confidence: expected one system, found 3 inputs");
  for (const auto paired : {SignificanceTest::kPairedBootstrap, SignificanceTest::kPairedRandomization}) {
    test.test = paired;
    EXPECT_FAILS(check(test), ConfigError, "expected two or more systems");
    EXPECT_NO_THROW(check(test, 2));
  }
}

TEST(Evaluation, AModelAndTheTokenizationThatNeedsItBelongTogether) {
  EvaluationOptions options = bare({MetricKind::kBleu});
  options.bleu.tokenization = Tokenization::kSpm;
  EXPECT_FAILS(check(options), ConfigError, "tokenize (--tokenize) spm: needs a SentencePiece model");
  options.bleu.tokenization = Tokenization::k13a;
  options.bleu.pieces = std::make_shared<const text::PieceEncoder>(
      text::PieceEncoder::from_file(VENTRIS_SOURCE "/tests/parity/metrics.spm"));
  EXPECT_FAILS(check(options), ConfigError, "spm_model (--spm-model): can be used only with tokenize (--tokenize) spm");
}

TEST(Evaluation, ChrfNeedsNgramsOfSomething) {
  EvaluationOptions options = bare({MetricKind::kChrf});
  options.chrf.char_order = 0;
  EXPECT_FAILS(check(options), ConfigError, "char_order (--chrf-char-order) 0");
}

TEST(Evaluation, SettingsOfAMetricThatIsNotAskedForAreNotLookedAt) {
  EvaluationOptions options = bare({MetricKind::kBleu});
  options.chrf.char_order = 0;
  EXPECT_EQ(evaluate(kHypotheses, kReferences, options), "40.1\n");
  options = bare({MetricKind::kTer, MetricKind::kChrf});
  options.bleu.tokenization = Tokenization::kSpm;
  options.bleu.smooth_value = std::nan("");
  EXPECT_NO_THROW(check(options));
}

}  // namespace
}  // namespace ventris::evaluation
