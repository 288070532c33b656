#include "evaluation/systems.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace ventris::evaluation {

using metrics::Confidence;

namespace {

Comparison plain() {
  return {{"a", "longer name"},
          SignificanceTest::kNone,
          0,
          {{"BLEU", "nrefs:1|x:y", {{93.86}, {83.04}}}, {"TER", "nrefs:1", {{2.3}, {101.25}}}}};
}

Comparison paired() {
  return {{"Baseline: a", "b"},
          SignificanceTest::kPairedBootstrap,
          100,
          {{"BLEU", "nrefs:1|bs:100", {{93.86, Confidence{93.8, 1.2}}, {83.04, Confidence{83.0, 1.3}, 0.0099}}}}};
}

ReportOptions as_text() { return {ReportFormat::kText, 1, false}; }

TEST(Systems, ATableHasARowForEachAndTheSignaturesBelow) {
  EXPECT_EQ(format_comparison(plain(), as_text()),
            "╒═════════════╤════════╤═══════╕\n"
            "│      System │  BLEU  │  TER  │\n"
            "╞═════════════╪════════╪═══════╡\n"
            "│           a │  93.9  │  2.3  │\n"
            "├─────────────┼────────┼───────┤\n"
            "│ longer name │  83.0  │ 101.2 │\n"
            "╘═════════════╧════════╧═══════╛\n"
            "\n"
            "-----------------\n"
            "Metric signatures\n"
            "-----------------\n"
            " - BLEU       nrefs:1|x:y\n"
            " - TER        nrefs:1\n");
}

TEST(Systems, PairedTestsShowIntervalAndPValue) {
  const std::string found = format_comparison(paired(), as_text());
  EXPECT_EQ(found.substr(0, found.find("\n\n")),
            "╒═════════════╤═════════════════════╕\n"
            "│      System │  BLEU (μ ± 95% CI)  │\n"
            "╞═════════════╪═════════════════════╡\n"
            "│ Baseline: a │  93.9 (93.8 ± 1.2)  │\n"
            "├─────────────┼─────────────────────┤\n"
            "│           b │  83.0 (83.0 ± 1.3)  │\n"
            "│             │    (p = 0.0099)*    │\n"
            "╘═════════════╧═════════════════════╛");
  EXPECT_NE(found.find("\nPaired bootstrap resampling test with 100 resampling trials\n"), std::string::npos);
}

TEST(Systems, OnlySmallPValuesAreMarked) {
  Comparison comparison = paired();
  comparison.metrics[0].scores[1].p_value = 0.051;
  EXPECT_NE(format_comparison(comparison, as_text()).find("│    (p = 0.0510)     │"), std::string::npos)
      << format_comparison(comparison, as_text());
}

TEST(Systems, JsonHasScoresAsTextOrWithEverythingThatATestFound) {
  const auto scores = nlohmann::json::parse(format_comparison(plain()));
  EXPECT_EQ(scores.at(1), (nlohmann::json{{"system", "longer name"}, {"BLEU", "83.0"}, {"TER", "101.2"}}));
  const auto tested = nlohmann::json::parse(format_comparison(paired()));
  EXPECT_EQ(tested.at(0).at("BLEU").at("p_value"), nullptr);
  EXPECT_EQ(tested.at(1).at("BLEU"),
            (nlohmann::json{{"score", 83.04}, {"p_value", 0.0099}, {"mean", 83.0}, {"ci", 1.3}}));
}

TEST(Systems, ANameReachesTheTableAsPrintableText) {
  Comparison comparison = plain();
  comparison.systems = {"a\x1b[2J", "\n"};
  const std::string table = format_comparison(comparison, as_text());
  EXPECT_NE(table.find("│ a\\x1b[2J │  93.9  │"), std::string::npos) << table;
  EXPECT_NE(table.find("│       \\n │  83.0  │"), std::string::npos) << table;
}

}  // namespace
}  // namespace ventris::evaluation
