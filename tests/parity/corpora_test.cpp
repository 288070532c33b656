// Our metrics against sacreBLEU's on real texts, which make_metrics_expected.py scored and did not store. They are
// looked for in VENTRIS_CORPORA, or in shared/corpora beside the tree.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "evaluation/inputs.h"
#include "parity/expected_scores.h"

namespace ventris::metrics {
namespace {

using nlohmann::json;

std::filesystem::path corpora_folder() {
  const char* given = std::getenv("VENTRIS_CORPORA");
  return given != nullptr ? given : VENTRIS_SOURCE "/../shared/corpora";
}

/// The line as a poor translation would have it, by the rule of make_metrics_expected.py.
std::string worn(size_t number, const std::string& line) {
  Lines words;
  size_t position = 0;
  for (size_t start = 0; start <= line.size(); ++position) {
    const size_t end = std::min(line.find(' ', start), line.size());
    const std::string word = line.substr(start, end - start);
    start = end + 1;
    const size_t fate = (7 * number + 3 * position) % 11;
    if (fate == 1) {
      words.insert(words.end() - static_cast<std::ptrdiff_t>(std::min<size_t>(words.size(), 2)), word);
    } else if (fate == 2) {
      words.insert(words.end(), 2, word);
    } else if (fate > 0) {
      words.push_back(fate == 3 ? "x" : word);
    }
  }
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) text.append(i > 0 ? " " : "").append(words[i]);
  return text;
}

Lines worn_copy(const Lines& lines, size_t offset) {
  Lines result;
  for (size_t i = 0; i < lines.size(); ++i) result.push_back(worn(i + offset, lines[i]));
  return result;
}

double score(const evaluation::Metric& metric, const Lines& hypotheses, const Lines& reference) {
  return metric.scorer().exact(metric.count(hypotheses, {reference}, 2).sums());
}

void expect_same_bleu(const Lines& hypotheses, const Lines& reference, const json& expected) {
  size_t at = 0;
  for (const std::string& tokenization : tokenization_names()) {
    for (const std::string& smoothing : smoothing_names()) {
      for (const bool lowercase : {false, true}) {
        const auto metric = evaluation::make_metric(bleu_options(tokenization, smoothing, lowercase));
        EXPECT_NEAR(score(*metric, hypotheses, reference), expected.at(at++).get<double>(), kTolerance)
            << tokenization << " " << smoothing << " " << lowercase;
      }
    }
  }
}

void expect_same_chrf_and_ter(const Lines& hypotheses, const Lines& reference, const json& expected) {
  EXPECT_NEAR(score(*evaluation::make_metric(ChrfOptions{}), hypotheses, reference),
              expected.at("chrf").at(0).get<double>(), kTolerance);
  ChrfOptions with_words;
  with_words.word_order = 2;
  with_words.lowercase = true;
  EXPECT_NEAR(score(*evaluation::make_metric(with_words), hypotheses, reference),
              expected.at("chrf").at(3).get<double>(), kTolerance);
  for (size_t i = 0; i < 4; ++i) {
    const size_t flags = 5 * i;  // none, two halves, all
    const TerOptions options{(flags & 8U) != 0, (flags & 4U) != 0, (flags & 2U) != 0, (flags & 1U) != 0};
    EXPECT_NEAR(score(*evaluation::make_metric(options), hypotheses, reference), expected.at("ter").at(i).get<double>(),
                kTolerance)
        << flags;
  }
}

TEST(ParityOnCorpora, EveryScoreIntervalAndPValueIsTheSame) {
  std::ifstream file(VENTRIS_SOURCE "/tests/parity/corpora_expected.json");
  const json expected = json::parse(file);
  ASSERT_EQ(expected.at("corpora").size(), 6U);
  for (const auto& [name, entry] : expected.at("corpora").items()) {
    SCOPED_TRACE(name);
    const auto path = corpora_folder() / name;
    if (!std::filesystem::exists(path)) {
      GTEST_SKIP() << path
                   << " is not there; set VENTRIS_CORPORA to the folder of the corpora to compare scores on them";
    }
    Lines reference = evaluation::read_lines(path);
    reference.resize(expected.at("lines"));
    const Lines hypotheses = worn_copy(reference, 0);
    expect_same_bleu(hypotheses, reference, entry.at("bleu"));
    expect_same_chrf_and_ter(hypotheses, reference, entry);
    expect_same_significance({hypotheses, worn_copy(reference, 5)}, {reference}, entry);
  }
}

}  // namespace
}  // namespace ventris::metrics
