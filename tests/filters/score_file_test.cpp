#include "filters/score_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "core/error.h"
#include "support/copy_model.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::filters {
namespace {

using nlohmann::json;

class ScoreFile : public testing::Test {
 protected:
  void SetUp() override { settings.output = folder.path("out"); }

  translation::ScoreCounts run() {
    return score_file(settings, package, [&] { return test::copy_factory(package); });
  }
  translation::ScoreCounts score(const std::string& source, const std::string& target) {
    settings.source = folder.file("source", source);
    settings.target = folder.file("target", target);
    return run();
  }
  translation::ScoreCounts score_list(const std::string& source, const std::string& list) {
    settings.source = folder.file("source", source);
    settings.n_best = folder.file("list", list);
    return run();
  }
  std::vector<std::string> lines() const {
    std::istringstream stream(test::file_bytes(folder.path("out")));
    std::vector<std::string> all;
    for (std::string line; std::getline(stream, line);) all.push_back(line);
    return all;
  }

  test::TempFolder folder;
  model::Package package = test::copying_package();
  ScoreSettings settings;
};

TEST_F(ScoreFile, ALineForEachPairAndACopyIsTheMostProbable) {
  EXPECT_EQ(score("bread\nbread\n\n", "bread\nNobody\n\n").pairs, 3);
  ASSERT_EQ(lines().size(), 3U);
  EXPECT_GT(std::stod(lines()[0]), std::stod(lines()[1]));
  EXPECT_EQ(lines()[2], "0.000000");
}

TEST_F(ScoreFile, WordScoresAddUpToTheScore) {
  settings.word_scores = true;
  score("The driver likes bread.\n", "Nobody likes bread.\n");
  std::istringstream stream(lines().at(0));
  double score = 0, sum = 0;
  std::string bars, name;
  stream >> score >> bars >> name;
  EXPECT_EQ(bars + name, "|||WordScores=");
  for (double value = 0; stream >> value;) sum += value;
  EXPECT_NEAR(sum, score, 1e-4);
}

TEST_F(ScoreFile, JsonSaysWhatBecameOfThePair) {
  settings.format = ScoreFormat::kJsonl;
  settings.word_scores = true;
  score("bread\n\n", "bread\nbread\n");
  const json first = json::parse(lines().at(0)), second = json::parse(lines().at(1));
  EXPECT_EQ(first["tokens"], first["pieces"].size());
  EXPECT_EQ(first["token_scores"].size(), first["pieces"].size());
  EXPECT_EQ(first["pieces"].back(), "</s>");
  EXPECT_EQ(first["words"], 2);  // with the end, as in --summary
  EXPECT_EQ(first["blank"], false);
  EXPECT_EQ(second["blank"], true);
  EXPECT_EQ(second["tokens"], 0);
}

TEST_F(ScoreFile, PairsMayComeInTwoColumns) {
  score("bread\nNobody\n", "bread\nbread\n");
  const auto expected = lines();
  settings.source = settings.target = "";
  settings.tsv = folder.file("pairs", "bread\tbread\nNobody\tbread\n");
  run();
  EXPECT_EQ(lines(), expected);
  settings.tsv = folder.file("pairs", "bread\tbread\nNobody\n");
  EXPECT_FAILS(run(), DataError, "pairs:2: expected 2 columns");
}

TEST_F(ScoreFile, ASummaryHasPerplexitiesByTokenAndByWord) {
  settings.summary = true;
  settings.format = ScoreFormat::kJsonl;
  const auto counts = score("bread\nbread\n\n", "bread\nNobody sees bread.\n\n");
  const json found = json::parse(lines().at(0));
  EXPECT_EQ(lines().size(), 1U);
  EXPECT_EQ(found["pairs"], 3);
  EXPECT_EQ(found["blank"], 1);
  EXPECT_EQ(found["words"], 2 + 4);
  EXPECT_EQ(found["tokens"], counts.tokens);
  const double sum = counts.log_prob, tokens = static_cast<double>(counts.tokens);
  EXPECT_NEAR(found["log_prob"].get<double>(), sum, 1e-6);
  EXPECT_NEAR(found["perplexity_per_token"].get<double>(), std::exp(-sum / tokens), 1e-5);
  EXPECT_NEAR(found["perplexity_per_word"].get<double>(), std::exp(-sum / 6), 1e-5);
}

TEST_F(ScoreFile, ASummaryOfNothingIsOfNothing) {
  settings.summary = true;
  score("", "");
  EXPECT_EQ(lines(),
            (std::vector<std::string>{"pairs 0 (blank 0, cut sources 0, cut targets 0)", "tokens 0", "words 0",
                                      "log-probability 0.000000", "perplexity per token -", "perplexity per word -"}));
  settings.format = ScoreFormat::kJsonl;
  score("", "");
  EXPECT_TRUE(json::parse(lines().at(0))["perplexity_per_token"].is_null());
}

TEST_F(ScoreFile, AnNBestListGetsAFeatureAndKeepsItsOrder) {
  settings.feature = "Copy";
  score_list("bread\nNobody\n", "0 ||| Nobody ||| F0= -1 ||| -1\n0 ||| bread ||| F0= -2 ||| -2\n1 ||| Nobody\n");
  ASSERT_EQ(lines().size(), 3U);
  EXPECT_THAT(lines()[0], testing::MatchesRegex("0 \\|\\|\\| Nobody \\|\\|\\| F0= -1 Copy= -[0-9.]+ \\|\\|\\| -1"));
  EXPECT_THAT(lines()[2], testing::MatchesRegex("1 \\|\\|\\| Nobody \\|\\|\\| Copy= -[0-9.]+"));
}

TEST_F(ScoreFile, AnNBestListIsSortedSentenceBySentence) {
  settings.sort = true;
  settings.scorer.window_lines = 2;  // groups may be longer than a window
  score_list("bread\nempty\nNobody\n",
             "0 ||| Nobody\n0 ||| Zürich\n0 ||| bread\n2 ||| bread\n2 ||| Nobody\n2 ||| two boats\n");
  ASSERT_EQ(lines().size(), 6U);
  EXPECT_THAT(lines()[0], testing::StartsWith("0 ||| bread ||| Score= "));
  EXPECT_THAT(lines()[3], testing::StartsWith("2 ||| Nobody ||| Score= "));
}

TEST_F(ScoreFile, WeightedFeaturesDecideTheOrder) {
  settings.sort = true;
  settings.weights = {{"Score", {0}}, {"F0", {2}}};
  score_list("bread\n", "0 ||| bread ||| F0= -2 ||| -1\n0 ||| Nobody ||| F0= -1 ||| -2\n");
  EXPECT_THAT(lines()[0], testing::MatchesRegex("0 ... Nobody ... F0= -1 Score= -[0-9.]+ \\|\\|\\| -2.000000"));
  EXPECT_THAT(lines()[1], testing::MatchesRegex("0 ... bread ... F0= -2 Score= -[0-9.]+ \\|\\|\\| -4.000000"));
  settings.weights = {{"Score", {100}}, {"F0", {2}}};
  settings.format = ScoreFormat::kJsonl;
  score_list("bread\n", "0 ||| Nobody ||| F0= -1\n0 ||| bread ||| F0= -2\n");
  const json best = json::parse(lines().at(0));
  EXPECT_EQ(best["text"], "bread");
  EXPECT_NEAR(best["total"].get<double>(), 100 * best["score"].get<double>() - 4, 1e-3);
  EXPECT_FAILS(score_list("bread\n", "0 ||| bread ||| F0= -1\n0 ||| bread\n"), DataError,
               "list:2: expected 1 value of the feature F0, as --feature-weights has");
}

TEST_F(ScoreFile, AnNBestListMayBecomeJson) {
  settings.format = ScoreFormat::kJsonl;
  score_list("bread\n", "0 ||| bread ||| F0= -1 ||| -0.5\n");
  const json found = json::parse(lines().at(0));
  EXPECT_EQ(found["id"], 0);
  EXPECT_EQ(found["fields"], (json{"F0= -1", "-0.5"}));
  EXPECT_EQ(found["text"], "bread");
  EXPECT_LT(found["score"], 0);
}

TEST_F(ScoreFile, AFeatureThatTheListHasAlreadyIsRefused) {
  settings.feature = "F0";
  EXPECT_FAILS(score_list("bread\n", "0 ||| bread ||| F0= -1 ||| -1\n"), ConfigError,
               "list:1 has a feature F0 already; give the new feature another name");
  settings.feature = "F";
  EXPECT_NO_THROW(score_list("bread\n", "0 ||| bread ||| F0= -1 ||| -1\n"));
}

TEST_F(ScoreFile, ListsThatDoNotFitTheirSourcesAreNamed) {
  EXPECT_FAILS(score_list("bread\n", "0 ||| bread\n1 ||| bread\n"), DataError, "list:2: ID 1 has no source; ");
  EXPECT_FAILS(score_list("a\nb\n", "1 ||| bread\n0 ||| bread\n"), DataError, "list:2: ID 0 stands behind ID 1");
  EXPECT_FAILS(score_list("a\n", "bread\n"), DataError, "list:1: expected ID ||| text");
}

TEST_F(ScoreFile, LineCountsThatDifferAreNamed) {
  EXPECT_FAILS(score("bread\nbread\n", "bread\n"), DataError, "line counts differ: ");
  EXPECT_FAILS(score("bread\n", "bread\nbread\n"), DataError, "each source needs one target");
}

TEST_F(ScoreFile, InvalidBytesAreReplacedOrRefused) {
  EXPECT_EQ(score("bread\n", "\xff\n").pairs, 1);
  settings.strict = true;
  EXPECT_FAILS(score("bread\n", "\xff\n"), DataError, "target:1: not valid UTF-8");
}

TEST_F(ScoreFile, StrictMakesTextThatWasLostAnErrorBehindTheWholeOutput) {
  settings.strict = true;
  const std::string cut(1 << 20, ' ');
  EXPECT_FAILS(score("bread\n" + cut + "bread\n", "bread\nbread\n"), DataError, "source: over 1 MiB, cut (line 2)");
  EXPECT_EQ(lines().size(), 2U);
  EXPECT_NO_THROW(score("bread\n", "bread\n"));
  settings.strict = false;
  EXPECT_NO_THROW(score(cut + "bread\n", "bread\n"));
}

TEST_F(ScoreFile, StrictKnowsSourcesAndTargetsThatTheModelCuts) {
  package = test::copying_package(10);
  settings.strict = true;
  const std::string longer = "Some workers never painted two wooden boats in the green bridge\n";
  EXPECT_FAILS(score("bread\n" + longer, "bread\nbread\n"), DataError,
               "a source with more tokens than allowed, cut (line 2)");
  EXPECT_FAILS(score("bread\n", longer), DataError, "a target with more tokens than allowed, cut (line 1)");
}

TEST_F(ScoreFile, StrictKnowsTargetsWithoutASource) {
  settings.strict = true;
  EXPECT_FAILS(score("bread\n \n\n", "bread\nbread\nbread\n"), DataError,
               "a blank source, so that its target was not scored (lines 2, 3)");
  EXPECT_EQ(lines().size(), 3U);
  EXPECT_NO_THROW(score("bread\n\n", "bread\n\n")) << "nothing is lost";
  EXPECT_NO_THROW(score("bread\n", "\n")) << "a blank target is scored";
}

TEST_F(ScoreFile, FilesAreOpenedBeforeTheModelIsLoaded) {
  using Scorers = std::shared_ptr<const decoding::ScorerFactory>;
  const LoadScorers never = []() -> Scorers { throw std::logic_error("loaded"); };
  settings.source = folder.file("source", "bread\n");
  settings.target = folder.path("missing");
  EXPECT_FAILS(score_file(settings, package, never), DataError, "missing: cannot be read: No such file");
  settings.target = settings.source;
  settings.output = folder.path("no/folder");
  EXPECT_FAILS(score_file(settings, package, never), WriteError, "no/folder");
  settings.output = "/dev/full";
  EXPECT_FAILS(run(), WriteError, "/dev/full");
}

TEST_F(ScoreFile, AnErrorInTheInputKeepsTheScoresBeforeIt) {
  settings.tsv = folder.file("pairs", "bread\tbread\nNobody\tNobody\nbread\n");
  EXPECT_FAILS(run(), DataError,
               "pairs:3: expected 2 columns separated by TABs, found 1; 2 pairs are finished, in " + settings.output +
                   ".partial");
  EXPECT_EQ(std::ranges::count(test::file_bytes(settings.output + ".partial"), '\n'), 2);
  EXPECT_FALSE(std::filesystem::exists(settings.output));
  std::filesystem::remove(settings.output + ".partial");
  settings.summary = true;
  EXPECT_FAILS(run(), DataError, "found 1");
  EXPECT_FALSE(std::filesystem::exists(settings.output + ".partial"));
}

TEST_F(ScoreFile, AnErrorInAListKeepsTheEntriesBeforeIt) {
  for (const bool sort : {false, true}) {
    settings.sort = sort;
    EXPECT_FAILS(score_list("bread\nbread\n", "0 ||| bread\n1 ||| bread\n1 ||| Nobody\n0 ||| x\n"), DataError,
                 "list:4: ID 0 stands behind ID 1; sort it; 3 pairs are finished, in ");
    EXPECT_EQ(std::ranges::count(test::file_bytes(settings.output + ".partial"), '\n'), 3);
    std::filesystem::remove(settings.output + ".partial");
  }
}

}  // namespace
}  // namespace ventris::filters
