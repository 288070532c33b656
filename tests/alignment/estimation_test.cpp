#include "alignment/estimation.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "drawn_pairs.h"
#include "support/errors.h"

namespace ventris::alignment {
namespace {

/// What make_alignment_expected.py wrote.
nlohmann::json expected() {
  return nlohmann::json::parse(std::ifstream(VENTRIS_SOURCE "/tests/alignment/alignment_expected.json"));
}

void expect_near(const std::vector<float>& found, const nlohmann::json& wanted, const std::string& what) {
  ASSERT_EQ(found.size(), wanted.size()) << what;
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(found[i]), wanted[i].get<double>(), 2e-3) << what << ", " << i;
  }
}

TEST(EstimateAlignment, HasTheProbabilitiesOfAPlainComputation) {
  const nlohmann::json json = expected();
  SentencePairs pairs(4);
  const std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> corpus = json["corpus"];
  test::add_sentences(pairs, corpus);
  for (const auto& wanted : json["cases"]) {
    const int model1 = wanted["model1_iterations"], hmm = wanted["hmm_iterations"];
    const auto estimated = estimate_alignment(pairs, {.model1_iterations = model1, .hmm_iterations = hmm});
    EXPECT_EQ(estimated.spelling, Spelling::kQuick);
    PosteriorComputer computer(pairs, estimated.model, hmm > 0 ? Stage::kLinking : Stage::kModel1, Spelling::kQuick);
    for (size_t pair = 0; pair < pairs.size(); ++pair) {
      const Posteriors& found = computer.compute(pair, {});
      const std::string what = std::to_string(model1) + "+" + std::to_string(hmm) + ", pair " + std::to_string(pair);
      expect_near(found.forward, wanted["forward"][pair], what + " forward");
      expect_near(found.backward, wanted["backward"][pair], what + " backward");
    }
  }
}

bool same(const PairCounts& a, const PairCounts& b) {
  if (a.size() != b.size()) return false;
  for (const auto& entry : a.entries()) {
    if (entry.is_free()) continue;
    const auto* other = b.find(entry.source(), entry.target());
    if (other == nullptr || other->value != entry.value) return false;
  }
  return true;
}

TEST(EstimateAlignment, DoesNotDependOnTheNumberOfThreads) {
  const SentencePairs pairs = test::drawn_pairs(1500);
  const auto one = estimate_alignment(pairs, {.threads = 1}).model;
  for (const int threads : {2, 5}) {
    const auto several = estimate_alignment(pairs, {.threads = threads}).model;
    EXPECT_TRUE(same(one.words, several.words));
    EXPECT_TRUE(same(one.classes, several.classes));
    EXPECT_EQ(one.forward, several.forward);
    EXPECT_EQ(one.backward, several.backward);
    EXPECT_EQ(one.ratios, several.ratios);
    EXPECT_EQ(one.source.alone, several.source.alone);
    EXPECT_EQ(one.target.linked, several.target.linked);
  }
}

TEST(EstimateAlignment, ASampleIsEnoughForAModel) {
  const SentencePairs pairs = test::drawn_pairs(300);
  const auto estimated = estimate_alignment(pairs, {.max_pairs = 50});
  EXPECT_EQ(estimated.spelling, Spelling::kCompared);
  EXPECT_GT(estimated.model.words.size(), 0U);
}

TEST(EstimateAlignment, TextWithoutAPairOfWordsIsRefused) {
  SentencePairs pairs(4);
  EXPECT_FAILS(estimate_alignment(pairs, {}), DataError, "no line pair can be aligned");
  pairs.add({}, {});
  EXPECT_FAILS(estimate_alignment(pairs, {}), DataError, "expected lines with 1 to 400 words on both sides");
}

}  // namespace
}  // namespace ventris::alignment
