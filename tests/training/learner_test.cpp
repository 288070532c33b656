#include "training/learner.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <optional>

#include "backend/families.h"
#include "backend/module_weights.h"
#include "core/error.h"
#include "data/corpus.h"
#include "support/errors.h"
#include "support/tiny_bundle.h"
#include "support/two_processes.h"
#include "training/schedule.h"

namespace ventris::training {
namespace {

constexpr int32_t kPieces = 20;  // that the pairs below are made of

/// Two batches in an epoch, more or less, of pairs that have something to learn: the target is the source turned round.
data::ParallelCorpus some_pairs() {
  data::ParallelCorpus pairs;
  for (int32_t i = 0; i < 40; ++i) {
    std::vector<int32_t> source;
    for (int32_t j = 0; j <= i % 7; ++j) source.push_back(4 + (i * 3 + j * 5) % (kPieces - 4));
    pairs.add(source, std::vector<int32_t>(source.rbegin(), source.rend()));
  }
  return pairs;
}

/// One that learns with these settings beside its fixed ones.
class LearnerTest : public testing::Test {
 protected:
  LearnerTest() {
    config.training.batch_tokens = 64;
    config.training.threads = 1;
    config.training.ema_decay = 0.5;
    config.training.schedule.warmup_updates = 1;
    config.training.schedule.learning_rate = 0.01;
    package.config = test::tiny_config(kPieces);
  }

  std::unique_ptr<Learner> learner(const InitialWeights& initial = {}) const {
    auto made = std::make_unique<Learner>(config, package, initial, std::make_shared<distributed::SingleProcess>());
    made->start(pairs, {}, {});
    return made;
  }

  /// What the last of some updates gave.
  struct Last {
    double loss = 0;  // a token
    data::Position next;
  };
  static Last update(Learner& learner, int64_t first, int64_t updates) {
    Last last;
    for (int64_t i = first; i < first + updates; ++i) {
      const PassResult pass = learner.pass(i, last.next);
      learner.learn(pass);
      last.loss = pass.loss / pass.target_weight;
    }
    return last;
  }

  /// As a checkpoint holds it.
  static run::Checkpoint checkpoint_of(const Learner& learner) {
    run::Checkpoint checkpoint;
    checkpoint.path = "step";
    checkpoint.weights = model::Safetensors::parse(learner.weights(), "weights");
    checkpoint.optimizer = model::Safetensors::parse(learner.moments(), "moments");
    if (!learner.average().empty()) checkpoint.ema = model::Safetensors::parse(learner.average(), "average");
    return checkpoint;
  }

  settings::RunConfig config;
  model::Package package;
  data::ParallelCorpus pairs = some_pairs();
};

TEST_F(LearnerTest, UpdatesLowerTheLoss) {
  const auto one = learner();
  const double first = update(*one, 0, 1).loss, last = update(*one, 1, 60).loss;
  EXPECT_LT(last, 0.9 * first);
  EXPECT_EQ(one->learning_rate(), learning_rate(config.training.schedule, 61, package.config.architecture->width()));
}

TEST_F(LearnerTest, TheSeedDecidesTheWeights) {
  const std::string weights = learner()->weights();
  EXPECT_EQ(learner()->weights(), weights);
  config.training.seed = 2;
  EXPECT_NE(learner()->weights(), weights);
}

TEST_F(LearnerTest, GivenWeightsTakeTheSeedsPlace) {
  const std::string weights = learner()->weights();
  config.training.seed = 2;
  const auto base = model::Safetensors::parse(weights, "base");
  const auto one = learner({.all = &base});
  EXPECT_EQ(one->weights(), weights);
  EXPECT_EQ(backend::save_weights(*one->evaluated()), weights) << "the average begins with them, too";
}

TEST_F(LearnerTest, NoValuesAreDrawnForWeightsThatAreLoadedLater) {
  torch::manual_seed(config.training.seed);
  const std::string constructed = backend::save_weights(*backend::make_module(*package.config.architecture));
  const Learner later(config, package, std::nullopt, std::make_shared<distributed::SingleProcess>());
  EXPECT_EQ(later.weights(), constructed);
  EXPECT_NE(learner()->weights(), constructed);
}

TEST_F(LearnerTest, OtherProcessesGetTheWeightsOfRankZero) {
  struct Found {
    std::string weights, evaluated, moments;
  };
  std::array<Found, 2> found;
  test::as_two_processes([&](const std::shared_ptr<test::ThreadGroup>& group) {
    const auto initial = group->leads() ? std::optional(InitialWeights{}) : std::nullopt;
    Learner one(config, package, initial, group);
    one.share();
    found[static_cast<size_t>(group->rank())] = {one.weights(), backend::save_weights(*one.evaluated()), one.moments()};
  });
  EXPECT_EQ(found[1].weights, found[0].weights);
  EXPECT_EQ(found[1].evaluated, found[0].weights);
  EXPECT_EQ(found[1].moments, found[0].moments);
}

TEST_F(LearnerTest, WhatIsEvaluatedIsTheAverageIfOneIsKept) {
  const auto averaging = learner();
  update(*averaging, 0, 3);
  EXPECT_NE(backend::save_weights(*averaging->evaluated()), averaging->weights());
  config.training.ema_decay = 0;
  const auto plain = learner();
  update(*plain, 0, 3);
  EXPECT_EQ(backend::save_weights(*plain->evaluated()), plain->weights());
  EXPECT_EQ(plain->weights(), averaging->weights()) << "the average changes nothing in what is learnt";
  EXPECT_EQ(plain->average(), "");
}

TEST_F(LearnerTest, SeveralBatchesOfAnUpdateAreOneSum) {
  const auto one = learner();
  config.training.accumulate = 2;
  const auto two = learner();
  data::Position after_one, after_two;
  const PassResult first = one->pass(0, after_one);
  const PassResult second = one->pass(1, after_one);
  const PassResult both = two->pass(0, after_two);
  EXPECT_EQ(both.target_tokens, first.target_tokens + second.target_tokens);
  EXPECT_EQ(both.target_weight, first.target_weight + second.target_weight);
  EXPECT_EQ(after_two.epoch, after_one.epoch);
  EXPECT_EQ(after_two.window, after_one.window);
  EXPECT_EQ(after_two.batch, after_one.batch);
}

TEST_F(LearnerTest, AnUpdateThatIsNotFiniteChangesNothing) {
  const auto one = learner();
  update(*one, 0, 1);
  const std::string weights = one->weights(), moments = one->moments(), average = one->average();
  data::Position position;
  PassResult pass = one->pass(1, position);
  pass.loss = std::numeric_limits<double>::quiet_NaN();
  one->learn(pass);
  EXPECT_EQ(one->weights(), weights);
  EXPECT_EQ(one->moments(), moments);
  EXPECT_EQ(one->average(), average);
}

TEST_F(LearnerTest, OneThatWasLoadedGoesOnAsTheOtherWould) {
  const auto whole = learner();
  data::Position position = update(*whole, 0, 3).next;
  Learner loaded(config, package, std::nullopt, std::make_shared<distributed::SingleProcess>());
  loaded.load(checkpoint_of(*whole));
  loaded.start(pairs, {}, position);
  update(*whole, 3, 2);
  update(loaded, 3, 2);
  EXPECT_EQ(loaded.weights(), whole->weights());
  EXPECT_EQ(loaded.moments(), whole->moments());
  EXPECT_EQ(loaded.average(), whole->average());
  EXPECT_EQ(loaded.learning_rate(), whole->learning_rate());
}

TEST_F(LearnerTest, ACheckpointWithoutAnAverageThatIsWantedIsRefused) {
  config.training.ema_decay = 0;
  const run::Checkpoint checkpoint = checkpoint_of(*learner());
  config.training.ema_decay = 0.5;
  EXPECT_FAILS(learner()->load(checkpoint), ModelError,
               "step: has no ema.safetensors, although training.ema_decay is set");
}

}  // namespace
}  // namespace ventris::training
