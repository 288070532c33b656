#include <gtest/gtest.h>

#include <cmath>

#include "architecture/rnn_options.h"
#include "backend/families.h"
#include "decoding/ensemble_factory.h"
#include "decoding/search.h"
#include "engine_parity/both_models.h"

namespace ventris::engine {
namespace {

using decoding::Combination;
using decoding::Hypothesis;
using test::BothModels;
using Factory = std::shared_ptr<const decoding::ScorerFactory>;
using Results = std::vector<std::vector<Hypothesis>>;

constexpr int64_t kSrcVocab = 31, kTgtVocab = 43;

/// A random Transformer of these vocabularies.
BothModels random_transformer(test::RandomNumbers& random, uint64_t seed) {
  auto options = test::random_options(random);
  if (options.tying == nn::Tying::kAll) options.tying = nn::Tying::kDecoder;
  options.src_vocab = kSrcVocab;
  options.tgt_vocab = kTgtVocab;
  return {options, seed};
}

/// A random recurrent model of these vocabularies, which the engine cannot run.
Factory recurrent_model(uint64_t seed) {
  torch::manual_seed(seed);
  architecture::RnnOptions options;
  options.d_embedding = options.d_hidden = 16;
  options.src_vocab = kSrcVocab;
  options.tgt_vocab = kTgtVocab;
  const architecture::RnnArchitecture architecture(options);
  const nn::Model module = backend::make_model(architecture);
  module->eval();
  backend::ScorerOptions scorers;
  scorers.never.push_back(scorers.ids.unk);
  scorers.max_length = 48;
  return backend::make_factory(module, architecture, scorers, "rnn");
}

/// Ensembles of the same models, with each model computed by the engine or by LibTorch.
class EnsembleParity : public testing::TestWithParam<uint32_t> {
 protected:
  EnsembleParity()
      : random_(GetParam()),
        a_(random_transformer(random_, GetParam())),
        b_(random_transformer(random_, GetParam() + 1)) {
    for (int i = 0; i < 6; ++i) {
      sources_.push_back(test::random_ids(random_, random_.between(1, 40), kSrcVocab));
      targets_.push_back(test::random_ids(random_, random_.between(0, 30), kTgtVocab));
      sentences_.push_back({sources_.back(), {}, static_cast<uint64_t>(i)});
    }
    sentences_[1].prefix = test::random_ids(random_, 3, kTgtVocab);
    for (size_t i = 0; i < sources_.size(); ++i) pairs_.push_back({sources_[i], targets_[i], i != 2});
  }

  static std::unique_ptr<decoding::ScorerFactory> ensemble(std::vector<Factory> models, Combination combination) {
    return decoding::make_ensemble(std::move(models), {{0.6, 0.4}, combination, {0, 2, 1}});
  }
  Results search(const decoding::ScorerFactory& models) const {
    return decoding::search(*models.make(), sentences_, {.beam_size = 4, .n_best = 2, .max_length_factor = 0.5});
  }
  void expect_same(const decoding::ScorerFactory& found, const decoding::ScorerFactory& expected) const;
  void expect_same_pairs(const decoding::ScorerFactory& found, const decoding::ScorerFactory& expected) const;

  test::RandomNumbers random_;
  BothModels a_, b_;
  std::vector<std::vector<int32_t>> sources_, targets_;
  std::vector<decoding::Sentence> sentences_;
  std::vector<decoding::Pair> pairs_;
};
INSTANTIATE_TEST_SUITE_P(RandomModels, EnsembleParity, testing::Range(300U, 312U));

/// Equal, but for translations whose scores differ by less than 1e-4.
void EnsembleParity::expect_same(const decoding::ScorerFactory& found, const decoding::ScorerFactory& expected) const {
  const auto all = search(found), wanted = search(expected);
  for (size_t i = 0; i < wanted.size(); ++i) {
    ASSERT_EQ(all[i].size(), wanted[i].size());
    for (size_t j = 0; j < wanted[i].size(); ++j) {
      EXPECT_NEAR(all[i][j].score, wanted[i][j].score, 1e-4);
      if (all[i][j].ids != wanted[i][j].ids) continue;
      for (size_t t = 0; t < wanted[i][j].token_log_probs.size(); ++t) {
        EXPECT_NEAR(all[i][j].token_log_probs[t], wanted[i][j].token_log_probs[t], 1e-4);
      }
    }
  }
}

void EnsembleParity::expect_same_pairs(const decoding::ScorerFactory& found,
                                       const decoding::ScorerFactory& expected) const {
  const auto all = found.make_pair_scorer()->answer(pairs_, {});
  const auto wanted = expected.make_pair_scorer()->answer(pairs_, {});
  for (size_t i = 0; i < wanted.size(); ++i) {
    ASSERT_EQ(all[i].log_probs.size(), wanted[i].log_probs.size());
    for (size_t t = 0; t < wanted[i].log_probs.size(); ++t) {
      EXPECT_NEAR(all[i].log_probs[t], wanted[i].log_probs[t], 1e-4);
    }
  }
}

TEST_P(EnsembleParity, EnginesLibTorchAndBothTogetherGiveTheSame) {
  const Factory a = a_.engine(), b = b_.engine(), torch_a = a_.backend(), torch_b = b_.backend();
  for (const auto combination : {Combination::kProbs, Combination::kLogProbs}) {
    const auto engines = ensemble({a, b}, combination);
    for (const auto& models : {std::vector{torch_a, torch_b}, {a, torch_b}, {torch_a, b}}) {
      const auto other = ensemble(models, combination);
      expect_same(*engines, *other);
      expect_same_pairs(*engines, *other);
    }
  }
}

TEST_P(EnsembleParity, ATransformerAndARecurrentModelTranslateTogether) {
  const Factory recurrent = recurrent_model(GetParam());
  for (const auto combination : {Combination::kProbs, Combination::kLogProbs}) {
    const auto mixed = ensemble({a_.engine(), recurrent}, combination);
    const auto torch = ensemble({a_.backend(), recurrent}, combination);
    expect_same(*mixed, *torch);
    expect_same_pairs(*mixed, *torch);
  }
}

TEST_P(EnsembleParity, ScoresOfPairsAreThoseOfTheSearch) {
  for (const auto combination : {Combination::kProbs, Combination::kLogProbs}) {
    const auto models = ensemble({a_.engine(), recurrent_model(GetParam())}, combination);
    const auto found = search(*models);
    std::vector<decoding::Pair> pairs;
    for (size_t i = 0; i < found.size(); ++i) {
      pairs.push_back({sources_[i], found[i].front().ids, !found[i].front().truncated});
    }
    const auto answers = models->make_pair_scorer()->answer(pairs, {});
    for (size_t i = 0; i < found.size(); ++i) {
      for (size_t t = 0; t < answers[i].log_probs.size(); ++t) {
        EXPECT_NEAR(answers[i].log_probs[t], found[i].front().token_log_probs[t], 1e-4);
      }
    }
  }
}

TEST_P(EnsembleParity, OnTheEngineASentenceHasTheSameScoresAloneAndAmongOthers) {
  for (const auto combination : {Combination::kProbs, Combination::kLogProbs}) {
    const auto models = ensemble({a_.engine(), b_.engine(Precision::kInt8)}, combination);
    const auto together = search(*models);
    for (size_t i = 0; i < sentences_.size(); ++i) {
      const auto alone = decoding::search(*models->make(), {&sentences_[i], 1},
                                          {.beam_size = 4, .n_best = 2, .max_length_factor = 0.5});
      for (size_t j = 0; j < together[i].size(); ++j) {
        EXPECT_EQ(alone.front()[j].ids, together[i][j].ids);
        EXPECT_EQ(alone.front()[j].token_log_probs, together[i][j].token_log_probs);
      }
    }
  }
}

}  // namespace
}  // namespace ventris::engine
