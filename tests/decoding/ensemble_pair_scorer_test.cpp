#include <gtest/gtest.h>

#include <stdexcept>

#include "decoding/ensemble_scorer.h"
#include "decoding/ensembles.h"
#include "support/errors.h"

namespace ventris::decoding {
namespace {

struct Pairs {
  std::vector<Ids> sources{{5, 6, 7}, {8}, {9, 9}, {6}}, targets{{4, 5, 6, 7}, {}, {12, 11}, {}};
  std::vector<Pair> all{{sources[0], targets[0]},
                        {sources[1], targets[1]},
                        {sources[2], targets[2], false},
                        {sources[3], targets[3], false}};
};

TEST(EnsemblePairs, HaveTheLogProbabilitiesOfTheCombinedDistribution) {
  const Pairs pairs;
  for (const auto combination : kBothCombinations) {
    test::TablePairScorer one(table_of_both(table_of(1), table_of(2), combination), kTableInfo);
    const auto expected = one.answer(pairs.all, {});
    const auto found = both_tables(1, 2, combination)->make_pair_scorer()->answer(pairs.all, {});
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i) {
      ASSERT_EQ(found[i].log_probs.size(), expected[i].log_probs.size());
      EXPECT_TRUE(found[i].attention.empty());
      for (size_t t = 0; t < found[i].log_probs.size(); ++t) {
        EXPECT_NEAR(found[i].log_probs[t], expected[i].log_probs[t], 1e-5) << i << ", " << t;
      }
    }
  }
}

TEST(EnsemblePairs, HaveTheSameAnswersInLargeGroupsAndAlone) {
  std::vector<Ids> sources, targets;
  for (size_t i = 0; i < 700; ++i) {
    sources.push_back(Ids(1 + i % 13, static_cast<int32_t>(5 + i % 7)));
    targets.push_back(Ids(i % 11, static_cast<int32_t>(4 + i % 5)));
  }
  std::vector<Pair> pairs;
  for (size_t i = 0; i < sources.size(); ++i) pairs.push_back({sources[i], targets[i], i % 3 > 0});
  const auto scorer = both_tables(1, 2, Combination::kLogProbs)->make_pair_scorer();
  const auto all = scorer->answer(pairs, {});
  for (size_t i = 0; i < pairs.size(); i += 17) {
    EXPECT_EQ(scorer->answer(std::span(pairs).subspan(i, 1), {}).front().log_probs, all[i].log_probs);
  }
}

/// The answers of a scorer with another shape of attention, whose weights are all `weight`.
class FlatAttention : public PairScorer {
 public:
  FlatAttention(AttentionShape shape, float weight) : shape_(shape), weight_(weight) {}
  int64_t max_length() const override { return 14; }
  AttentionShape attention_shape() const override { return shape_; }
  std::vector<PairAnswer> answer(std::span<const Pair> pairs, const PairQuestion& question) override {
    std::vector<PairAnswer> answers(pairs.size());
    for (size_t i = 0; i < pairs.size(); ++i) {
      if (question.log_probs) answers[i].log_probs.assign(pairs[i].tokens(), -1.0F);
      if (question.attention && shape_.layers == 0) throw std::invalid_argument("no attention");
      if (question.attention) answers[i].attention.assign(pairs[i].tokens() * pairs[i].source.size(), weight_);
    }
    return answers;
  }

 private:
  AttentionShape shape_;
  float weight_;
};

class FlatFactory : public ScorerFactory {
 public:
  FlatFactory(AttentionShape shape, float weight) : shape_(shape), weight_(weight) {}
  std::unique_ptr<StepScorer> make() const override { return nullptr; }
  std::unique_ptr<PairScorer> make_pair_scorer() const override {
    return std::make_unique<FlatAttention>(shape_, weight_);
  }

 private:
  AttentionShape shape_;
  float weight_;
};

std::shared_ptr<const ScorerFactory> flat(AttentionShape shape, float weight) {
  return std::make_shared<FlatFactory>(shape, weight);
}

/// The attention that an ensemble of these models has everywhere.
float attention_of(const std::vector<std::shared_ptr<const ScorerFactory>>& models, const std::vector<double>& weights,
                   AttentionShape shape) {
  const Pairs pairs;
  const auto scorer = make_ensemble(models, {.weights = weights})->make_pair_scorer();
  EXPECT_EQ(scorer->attention_shape().layers, shape.layers);
  EXPECT_EQ(scorer->attention_shape().heads, shape.heads);
  const auto answers = scorer->answer(pairs.all, {.log_probs = false, .attention = true});
  EXPECT_EQ(answers[0].attention.size(), 15U);
  EXPECT_TRUE(answers[0].log_probs.empty());
  for (const float weight : answers[0].attention) EXPECT_EQ(weight, answers[0].attention.front());
  return answers[0].attention.front();
}

TEST(EnsemblePairs, AttentionIsTheWeightedMeanOfTheModelsOfTheFirstShape) {
  EXPECT_FLOAT_EQ(attention_of({flat({2, 4}, 0.2F), flat({2, 4}, 0.6F)}, {3, 1}, {2, 4}), 0.3F);
  EXPECT_FLOAT_EQ(attention_of({flat({2, 4}, 0.2F), flat({6, 4}, 0.6F)}, {3, 1}, {2, 4}), 0.2F);
  EXPECT_FLOAT_EQ(attention_of({flat({2, 4}, 0.2F), flat({2, 8}, 0.6F), flat({2, 4}, 0.4F)}, {1, 5, 1}, {2, 4}), 0.3F);
  EXPECT_FLOAT_EQ(attention_of({flat({0, 0}, 0.9F), flat({2, 4}, 0.6F)}, {3, 1}, {2, 4}), 0.6F);
}

TEST(EnsemblePairs, AttentionThatNoModelHasIsRefused) {
  const Pairs pairs;
  const auto without = make_ensemble({flat({0, 0}, 1), flat({0, 0}, 1)}, {})->make_pair_scorer();
  EXPECT_EQ(without->attention_shape().layers, 0);
  EXPECT_FAILS(without->answer(pairs.all, {.attention = true}), std::invalid_argument, "no such layer or head");
  const auto with = make_ensemble({flat({2, 4}, 1), flat({3, 5}, 1)}, {})->make_pair_scorer();
  EXPECT_FAILS(with->answer(pairs.all, {.attention = true, .layer = 2}), std::invalid_argument, "no such layer");
  EXPECT_FAILS(with->answer(pairs.all, {.attention = true, .head = 4}), std::invalid_argument, "no such layer");
}

TEST(EnsemblePairs, RefuseSourcesThatAreEmptyAndPairsThatAreTooLong) {
  const auto scorer = make_ensemble({table_model(1), table_model(2, {2, 3, kTableVocab, 9})}, {})->make_pair_scorer();
  const auto answer = [&](size_t source, size_t target) {
    const Ids source_ids(source, 5), target_ids(target, 6);
    return scorer->answer(std::vector<Pair>{{source_ids, target_ids}}, {}).front().log_probs.size();
  };
  EXPECT_EQ(answer(9, 8), 9U);
  EXPECT_FAILS(answer(10, 8), std::invalid_argument, "too long");
  EXPECT_FAILS(answer(9, 9), std::invalid_argument, "too long");
  EXPECT_FAILS(answer(0, 9), std::invalid_argument, "a source is empty");
}

TEST(ScoreBySteps, GivesTheLogProbabilitiesOfEveryTokenAndOfItsEnd) {
  const Pairs pairs;
  test::TablePairScorer expected(table_of(1), kTableInfo);
  const auto scorer = table_model(1)->make();
  const auto found = score_by_steps(*scorer, pairs.all);
  const auto wanted = expected.answer(pairs.all, {});
  ASSERT_EQ(found.size(), 4U);
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(found[i], wanted[i].log_probs) << i;
  EXPECT_TRUE(found[3].empty()) << "neither a token nor an end";
  EXPECT_EQ(score_by_steps(*scorer, std::span(pairs.all).first(1)).front(), found[0]) << "nothing is left behind";
}

}  // namespace
}  // namespace ventris::decoding
