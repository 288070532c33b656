#include "decoding/ensemble_factory.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "decoding/decoder.h"
#include "support/errors.h"
#include "support/table_scorer.h"

namespace ventris::decoding {
namespace {

using test::Ids;
using test::Table;
using test::TableFactory;
using Models = std::vector<std::shared_ptr<const ScorerFactory>>;

constexpr int32_t kVocab = 13;
const ScorerInfo kInfo{2, 3, kVocab, 14};
const Ids kNever{0, 1, 2};
const auto kCombinations = {Combination::kProbs, Combination::kLogProbs};

/// The combination of two tables with weights 3 and 1, as one table.
Table table_of_both(const Table& a, const Table& b, Combination combination) {
  return [=](const Ids& source, const Ids& prefix) {
    const auto x = a(source, prefix), y = b(source, prefix);
    std::vector<double> weights;
    for (size_t id = 0; id < x.size(); ++id) {
      const double p = std::exp(static_cast<double>(x[id])), q = std::exp(static_cast<double>(y[id]));
      const bool mean = combination == Combination::kProbs;
      weights.push_back(mean ? 0.75 * p + 0.25 * q : std::pow(p, 0.75) * std::pow(q, 0.25));
    }
    return test::log_shares(weights);
  };
}

Table table(uint64_t seed) { return test::random_table(kVocab, seed, 4.0); }

std::shared_ptr<const ScorerFactory> model(uint64_t seed, ScorerInfo info = kInfo) {
  return std::make_shared<TableFactory>(test::random_table(info.vocab, seed, 4.0), info, kNever);
}

std::unique_ptr<ScorerFactory> both(uint64_t a, uint64_t b, Combination combination) {
  return make_ensemble({model(a), model(b)}, {{3.0, 1.0}, combination, kNever});
}

Sentence sentence_of(Ids source) {
  Sentence sentence;
  sentence.source = std::move(source);
  return sentence;
}

std::vector<Sentence> draw_sentences() {
  std::vector<Sentence> sentences;
  for (int32_t i = *rc::gen::inRange<int32_t>(1, 9); i > 0; --i) {
    Sentence sentence;
    for (int32_t j = *rc::gen::inRange<int32_t>(1, 6); j > 0; --j) sentence.source.push_back(5 + i * j);
    for (int32_t j = *rc::gen::inRange<int32_t>(0, 3); j > 0; --j) sentence.prefix.push_back(4 + (i + j) % 9);
    sentence.number = static_cast<uint64_t>(i);
    sentences.push_back(std::move(sentence));
  }
  return sentences;
}

SearchOptions draw_options() {
  SearchOptions options;
  options.beam_size = *rc::gen::inRange<int32_t>(1, 9);
  options.n_best = *rc::gen::inRange<int32_t>(1, options.beam_size + 1);
  options.sampling.enabled = *rc::gen::inRange(0, 2) == 1;
  options.repetition = {*rc::gen::inRange<int32_t>(0, 3), *rc::gen::inRange(0, 2) == 1 ? 1.0 : 1.3};
  options.min_length = *rc::gen::inRange<int32_t>(0, 4);
  return options;
}

using Results = std::vector<std::vector<Hypothesis>>;

void expect_near(const Results& found, const Results& expected, double tolerance) {
  RC_ASSERT(found.size() == expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    RC_ASSERT(found[i].size() == expected[i].size());
    for (size_t j = 0; j < found[i].size(); ++j) {
      RC_ASSERT(found[i][j].ids == expected[i][j].ids);
      RC_ASSERT(found[i][j].token_log_probs.size() == expected[i][j].token_log_probs.size());
      for (size_t t = 0; t < found[i][j].token_log_probs.size(); ++t) {
        RC_ASSERT(std::abs(found[i][j].token_log_probs[t] - expected[i][j].token_log_probs[t]) <= tolerance);
      }
    }
  }
}

TEST(Ensemble, TranslatesAsAModelThatHasTheCombinedDistribution) {
  for (const auto combination : kCombinations) {
    EXPECT_TRUE(rc::check([combination] {
      const auto seed = *rc::gen::arbitrary<uint32_t>();
      const auto sentences = draw_sentences();
      const SearchOptions options = draw_options();
      const auto ensemble = both(seed, seed + 1ULL, combination)->make();
      test::TableScorer one(table_of_both(table(seed), table(seed + 1ULL), combination), kInfo, kNever);
      expect_near(search(*ensemble, sentences, options), search(one, sentences, options), 1e-5);
    }));
  }
}

TEST(Ensemble, OfAModelWithItselfTranslatesAsTheModel) {
  for (const auto combination : kCombinations) {
    EXPECT_TRUE(rc::check([combination] {
      const auto seed = *rc::gen::arbitrary<uint32_t>();
      const auto sentences = draw_sentences();
      const SearchOptions options = draw_options();
      const auto ensemble = both(seed, seed, combination)->make();
      expect_near(search(*ensemble, sentences, options), search(*model(seed)->make(), sentences, options), 1e-5);
    }));
  }
}

TEST(Ensemble, NeighboursAndTheirOrderChangeNotEvenTheLastBit) {
  for (const auto combination : kCombinations) {
    EXPECT_TRUE(rc::check([combination] {
      const auto ensemble = both(1, 2, combination)->make();
      const SearchOptions options = draw_options();
      auto sentences = draw_sentences();
      const auto together = search(*ensemble, sentences, options);
      for (size_t i = 0; i < sentences.size(); ++i) {
        expect_near(search(*ensemble, {&sentences[i], 1}, options), {together[i]}, 0);
      }
      std::reverse(sentences.begin(), sentences.end());
      auto reversed = search(*ensemble, sentences, options);
      std::reverse(reversed.begin(), reversed.end());
      expect_near(reversed, together, 0);
    }));
  }
}

TEST(Ensemble, OfOneModelIsTheModel) {
  const auto ensemble = make_ensemble({model(1)}, {.never = kNever});
  const std::vector<Sentence> sentences{sentence_of({5, 6, 7}), sentence_of({8})};
  const auto found = search(*ensemble->make(), sentences, {.beam_size = 3});
  const auto expected = search(*model(1)->make(), sentences, {.beam_size = 3});
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].front().ids, expected[i].front().ids);
    EXPECT_EQ(found[i].front().token_log_probs, expected[i].front().token_log_probs);
  }
}

TEST(Ensemble, EqualWeightsAreTheDefault) {
  const std::vector<Sentence> sentences{sentence_of({5, 6, 7})};
  const auto translate = [&](const std::vector<double>& weights) {
    const auto ensemble = make_ensemble({model(1), model(2), model(3)}, {.weights = weights, .never = kNever});
    return search(*ensemble->make(), sentences, {.beam_size = 3}).front().front().token_log_probs;
  };
  EXPECT_EQ(translate({}), translate({2.0, 2.0, 2.0}));
  EXPECT_NE(translate({}), translate({2.0, 1.0, 1.0}));
}

TEST(Ensemble, ATargetMayBeAsLongAsEveryModelAllows) {
  const auto ensemble = make_ensemble({model(1, {2, 3, kVocab, 14}), model(1, {2, 3, kVocab, 9})}, {.never = kNever});
  EXPECT_EQ(ensemble->make()->info().max_length, 9);
  EXPECT_EQ(ensemble->make_pair_scorer()->max_length(), 9);
  EXPECT_EQ(ensemble->make_decoder()->max_length(), 9);
}

/// A model of a large vocabulary whose next token is 4 more than the position and the source.
Table large_table(size_t vocab) {
  return [=](const Ids& source, const Ids& prefix) {
    std::vector<float> row(vocab, -20.0F);
    row[4 + static_cast<size_t>(source[0]) + prefix.size()] = -0.1F;
    return row;
  };
}

TEST(Ensemble, TakesAFewRowsAtATimeIfTheVocabularyIsLarge) {
  constexpr int32_t kLarge = (1 << 21) + 5;  // two rows at a time
  const ScorerInfo info{2, 3, kLarge, 3};
  const auto one = std::make_shared<TableFactory>(large_table(kLarge), info, kNever);
  const auto ensemble = make_ensemble({one, one}, {.never = kNever});
  std::vector<Sentence> sentences;
  for (int32_t i = 0; i < 3; ++i) sentences.push_back(sentence_of({100 * i}));
  const auto found = search(*ensemble->make(), sentences, {});
  for (int32_t i = 0; i < 3; ++i) {
    const int32_t first = 4 + 100 * i;
    EXPECT_EQ(found[static_cast<size_t>(i)].front().ids, (Ids{first, first + 1, first + 2}));
  }
}

TEST(Ensemble, RefusesModelsThatDoNotFit) {
  EXPECT_FAILS(make_ensemble({}, {}), std::invalid_argument, "at least one model");
  EXPECT_FAILS(make_ensemble({model(1)}, {.weights = {1.0, 2.0}}), std::invalid_argument, "a weight for each");
  EXPECT_FAILS(make_ensemble({model(1)}, {.weights = {0.0}}), std::invalid_argument, "not over 0");
  for (const ScorerInfo& other : {ScorerInfo{2, 3, kVocab + 1, 14}, {2, 4, kVocab, 14}, {1, 3, kVocab, 14}}) {
    const auto ensemble = make_ensemble({model(1), model(2, other)}, {});
    EXPECT_FAILS(ensemble->make(), std::invalid_argument, "different vocabularies");
  }
}

/// A factory that says nothing of ensembles.
class OtherFactory : public ScorerFactory {
 public:
  std::unique_ptr<StepScorer> make() const override { return nullptr; }
  std::unique_ptr<PairScorer> make_pair_scorer() const override { return nullptr; }
};

TEST(Ensemble, RefusesAFactoryWithoutRows) {
  EXPECT_FAILS(make_ensemble({std::make_shared<OtherFactory>()}, {})->make(), std::logic_error, "part of an ensemble");
}

struct Pairs {
  std::vector<Ids> sources{{5, 6, 7}, {8}, {9, 9}, {6}}, targets{{4, 5, 6, 7}, {}, {12, 11}, {}};
  std::vector<Pair> all{{sources[0], targets[0]},
                        {sources[1], targets[1]},
                        {sources[2], targets[2], false},
                        {sources[3], targets[3], false}};
};

TEST(EnsemblePairs, HaveTheLogProbabilitiesOfTheCombinedDistribution) {
  const Pairs pairs;
  for (const auto combination : kCombinations) {
    test::TablePairScorer one(table_of_both(table(1), table(2), combination), kInfo);
    const auto expected = one.answer(pairs.all, {});
    const auto found = both(1, 2, combination)->make_pair_scorer()->answer(pairs.all, {});
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
  const auto scorer = both(1, 2, Combination::kLogProbs)->make_pair_scorer();
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
float attention_of(const Models& models, const std::vector<double>& weights, AttentionShape shape) {
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
  const auto scorer = make_ensemble({model(1), model(2, {2, 3, kVocab, 9})}, {})->make_pair_scorer();
  const auto answer = [&](size_t source, size_t target) {
    const Ids source_ids(source, 5), target_ids(target, 6);
    return scorer->answer(std::vector<Pair>{{source_ids, target_ids}}, {}).front().log_probs.size();
  };
  EXPECT_EQ(answer(9, 8), 9U);
  EXPECT_FAILS(answer(10, 8), std::invalid_argument, "too long");
  EXPECT_FAILS(answer(9, 9), std::invalid_argument, "too long");
  EXPECT_FAILS(answer(0, 9), std::invalid_argument, "a source is empty");
}

}  // namespace
}  // namespace ventris::decoding
