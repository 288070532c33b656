#include "evaluation/score_report.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace ventris::evaluation {

using metrics::BleuOptions;
using metrics::BleuScore;
using metrics::ChrfOptions;
using metrics::Smoothing;
using metrics::TerOptions;
using metrics::Tokenization;

namespace {

const BleuScore kScore{20.85, {54.4, 26.6, 14.9, 8.72}, 1, 62880, 61287};
constexpr const char* kBleuLine =
    "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|impl:ventris-0.1.0|compat:2.6.0 = 20.9 "
    "54.4/26.6/14.9/8.7 (BP = 1.000 ratio = 1.026 hyp_len = 62880 ref_len = 61287)";

ReportOptions text(int width = 1) { return {ReportFormat::kText, width, false}; }

TEST(ReportedScore, ALineOfTextHasSignatureScoreAndDetails) {
  EXPECT_EQ(format_report(bleu_report(kScore, {}, 1), text()), kBleuLine);
}

TEST(ReportedScore, SignaturesTellEverySetting) {
  BleuOptions bleu;
  bleu.tokenization = Tokenization::kNone;
  bleu.smoothing = Smoothing::kFloor;
  bleu.lowercase = bleu.effective_order = true;
  EXPECT_TRUE(
      bleu_report(kScore, bleu, 3).signature.starts_with("nrefs:3|case:lc|eff:yes|tok:none|smooth:floor[0.10]|impl:"));
  ChrfOptions chrf;
  chrf.word_order = 2;
  chrf.whitespace = chrf.eps_smoothing = true;
  const ReportedScore report = chrf_report({50}, chrf, 1);
  EXPECT_EQ(report.name, "chrF2++");
  EXPECT_TRUE(report.signature.starts_with("nrefs:1|case:mixed|eff:no|nc:6|nw:2|space:yes|impl:"));
}

TEST(ReportedScore, LinesOfTextAreAlignedAtTheScore) {
  const std::string lines = format_reports({bleu_report(kScore, {}, 1), chrf_report({50}, {}, 1)}, text());
  EXPECT_EQ(lines,
            std::string("  ") + kBleuLine +
                "\nchrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|impl:ventris-0.1.0|compat:2.6.0 = 50.0\n");
}

TEST(ReportedScore, JsonHasTheSignatureAsAWholeAndInParts) {
  const auto json = nlohmann::json::parse(format_reports({bleu_report(kScore, {}, 1)}));
  EXPECT_EQ(json.at("name"), "BLEU");
  EXPECT_EQ(json.at("score"), 20.9);
  EXPECT_EQ(json.at("tok"), "13a");
  EXPECT_EQ(json.at("compat"), "2.6.0");
  EXPECT_NE(json.at("verbose_score").get<std::string>().find("ref_len = 61287)"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(format_reports({bleu_report(kScore, {}, 1), chrf_report({50}, {}, 1)})).size(), 2U);
}

TEST(ReportedScore, ScoreOnlyIsTheBareNumber) {
  EXPECT_EQ(format_reports({bleu_report(kScore, {}, 1)}, {ReportFormat::kText, 2, true}), "20.85\n");
  EXPECT_EQ(format_reports({bleu_report(kScore, {}, 1)}, {ReportFormat::kJson, 0, true}), "21\n");
}

TEST(ReportedScore, ConfidenceStandsBehindTheScore) {
  ReportedScore report = chrf_report({50}, {}, 1);
  report.signature = add_sampling(report.signature, "bs", {1000, 12345});
  report.confidence = {50.04, 1.25};
  EXPECT_EQ(format_report(report, text(2)),
            "chrF2|nrefs:1|bs:1000|seed:12345|case:mixed|eff:yes|nc:6|nw:0|space:no|impl:ventris-0.1.0|compat:2.6.0 = "
            "50.00 (μ = 50.04 ± 1.25)");
  EXPECT_EQ(format_report(report, {ReportFormat::kText, 1, true}), "50.0 (μ = 50.0 ± 1.2)");
  const auto json = nlohmann::json::parse(format_report(report));
  EXPECT_EQ(json.at("confidence_mean"), 50.0);
  EXPECT_EQ(json.at("confidence_var"), 1.2);
  EXPECT_EQ(json.at("confidence"), "μ = 50.0 ± 1.2");
  EXPECT_EQ(json.at("seed"), "12345");
  report.confidence->mean = 0;
  EXPECT_EQ(format_report(report, {ReportFormat::kText, 1, true}), "50.0");
}

TEST(ReportedScore, TerAndModelsHaveSignaturesToo) {
  TerOptions ter;
  EXPECT_TRUE(
      ter_report({1}, ter, 2).signature.starts_with("nrefs:2|case:lc|tok:tercom|norm:no|punct:yes|asian:no|impl:"));
  ter = {true, true, true, true};
  EXPECT_TRUE(
      ter_report({1}, ter, 1).signature.starts_with("nrefs:1|case:mixed|tok:tercom|norm:yes|punct:no|asian:yes|"));
  BleuOptions bleu;
  bleu.tokenization = Tokenization::kSpm;
  bleu.pieces = std::make_shared<const text::PieceEncoder>(
      text::PieceEncoder::from_file(VENTRIS_SOURCE "/tests/parity/metrics.spm"));
  const std::string sum = fmt::format("tok:spm[{:08x}]|", bleu.pieces->checksum());
  EXPECT_NE(bleu_report(kScore, bleu, 1).signature.find(sum), std::string::npos);
}

}  // namespace
}  // namespace ventris::evaluation
