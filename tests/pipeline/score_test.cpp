#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "pipeline/trained_model.h"

/// ventris-score against what ventris-translate printed, with real programs and a trained model.
namespace ventris::test {
namespace {

using nlohmann::json;

/// Translates the validation text to JSON and scores the translations with the same model: one object a line each.
struct TranslatedAndScored {
  explicit TranslatedAndScored(const std::string& scoring_model) {
    const TrainedModel& trained = TrainedModel::get();
    const Outcome translated =
        run_program("ventris-translate", {"-m", trained.bundle, "-i", trained.valid.source, "-b", "3", "-n", "0.8",
                                          "--format", "jsonl", "--word-scores", "--alignment"});
    EXPECT_EQ(translated.code, 0) << translated.err;
    std::string texts;
    for (const std::string& line : lines_of(translated.out)) {
      translations.push_back(json::parse(line));
      texts += translations.back()["translation"].get<std::string>() + "\n";
    }
    const Outcome scored =
        run_program("ventris-score", {"-m", scoring_model, trained.valid.source, folder.file("texts", texts), "-n",
                                      "0.8", "--format", "jsonl", "--word-scores"});
    EXPECT_EQ(scored.code, 0) << scored.err;
    for (const std::string& line : lines_of(scored.out)) scores.push_back(json::parse(line));
  }
  TempFolder folder;
  std::vector<json> translations, scores;
};

void expect_same_scores(const TranslatedAndScored& both) {
  ASSERT_EQ(both.translations.size(), 120U);
  ASSERT_EQ(both.scores.size(), 120U);
  int compared = 0;
  for (size_t i = 0; i < both.scores.size(); ++i) {
    const json &translation = both.translations[i], &score = both.scores[i];
    if (translation["truncated"] == true || translation["pieces"] != score["pieces"]) continue;
    ++compared;
    EXPECT_NEAR(score["log_prob"].get<double>(), translation["log_prob"].get<double>(), 1e-4) << i;
    EXPECT_NEAR(score["score"].get<double>(), translation["score"].get<double>(), 1e-4) << i;
    for (size_t at = 0; at < score["token_scores"].size(); ++at) {
      EXPECT_NEAR(score["token_scores"][at].get<double>(), translation["token_scores"][at].get<double>(), 1e-4);
    }
  }
  EXPECT_GE(compared, 100);  // few are found with another segmentation than their text has
}

TEST(Scoring, EqualsWhatTheSearchPrinted) { expect_same_scores(TranslatedAndScored(TrainedModel::get().bundle)); }

TEST(Scoring, EqualsWhatTheSearchPrintedOverAnExport) {
  const TempFolder folder;
  const std::string exported = folder.path("model.pt");
  const Outcome outcome = run_program("ventris-export", {"-m", TrainedModel::get().bundle, "-o", exported});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  expect_same_scores(TranslatedAndScored(exported));
  const Outcome aligned = run_program("ventris-translate", {"-m", exported, "--alignment"}, "red\n");
  EXPECT_EQ(aligned.code, 2);
  EXPECT_NE(aligned.err.find("give the bundle from which it was made"), std::string::npos) << aligned.err;
}

TEST(Scoring, APerplexityIsTheOneOfTheSingleScores) {
  const TrainedModel& trained = TrainedModel::get();
  const std::vector<std::string> flags{"-m", trained.bundle, trained.valid.source, trained.valid.target};
  auto summing = flags, listing = flags;
  summing.insert(summing.end(), {"--summary", "--format", "jsonl"});
  listing.insert(listing.end(), {"--format", "jsonl"});
  const json summary = json::parse(run_program("ventris-score", summing).out);
  double log_prob = 0;
  int64_t tokens = 0;
  for (const std::string& line : lines_of(run_program("ventris-score", listing).out)) {
    log_prob += json::parse(line)["log_prob"].get<double>();
    tokens += json::parse(line)["tokens"].get<int64_t>();
  }
  EXPECT_EQ(summary["tokens"], tokens);
  EXPECT_NEAR(summary["perplexity_per_token"].get<double>(), std::exp(-log_prob / static_cast<double>(tokens)), 1e-3);
}

TEST(Scoring, LinksStayWithinTheWords) {
  const TranslatedAndScored both(TrainedModel::get().bundle);
  const auto sources = lines_of(file_bytes(TrainedModel::get().valid.source));
  const auto words = [](const std::string& text) { return std::count(text.begin(), text.end(), ' ') + 1; };
  for (size_t i = 0; i < sources.size(); ++i) {
    const auto translation = both.translations[i]["translation"].get<std::string>();
    std::istringstream links(both.translations[i]["alignment"].get<std::string>());
    int64_t source = 0, target = 0, count = 0;
    for (char dash = 0; links >> source >> dash >> target; ++count) {
      EXPECT_TRUE(source >= 0 && source < words(sources[i]) && target >= 0 && target < words(translation)) << i;
    }
    EXPECT_EQ(count, words(translation)) << i;
  }
}

}  // namespace
}  // namespace ventris::test
