#include "training/nat_objective.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <ATen/CPUGeneratorImpl.h>

#include "backend/module_nat_scorer.h"
#include "nn/random_scope.h"
#include "support/nat_kinds.h"
#include "support/tiny_learning.h"
#include "training/replicas.h"

namespace ventris::training {
namespace {

using architecture::NatOptions;
using torch::Tensor;

NatOptions undropped(NatOptions options) {
  options.transformer.dropout = 0;
  return options;
}

NatObjective objective_of(const NatOptions& options, double smoothing = 0) {
  return NatObjective({.model = options, .label_smoothing = smoothing});
}

/// The loss of a training pass whose random numbers come from this seed.
PassResult learnt(families::NonAutoregressive& model, const NatOptions& options, const data::Batch& batch,
                  uint64_t seed) {
  const nn::RandomScope scope(at::detail::createCPUGenerator(seed));
  return run_batch(objective_of(options), *model, batch, {}, /*learn=*/true);
}

TEST(GlancingRatio, ChangesLinearlyAndThenStays) {
  NatOptions options;
  options.glancing_ratio = 0.5;
  options.glancing_final = 0.3;
  options.glancing_updates = 100;
  EXPECT_DOUBLE_EQ(glancing_ratio(options, 0), 0.5);
  EXPECT_DOUBLE_EQ(glancing_ratio(options, 50), 0.4);
  EXPECT_DOUBLE_EQ(glancing_ratio(options, 100), 0.3);
  EXPECT_DOUBLE_EQ(glancing_ratio(options, 5000), 0.3);
}

TEST(DrawPositions, TakesTheWantedNumberOfAllowedPositionsAtRandom) {
  const Tensor allowed = torch::arange(8).lt(torch::tensor({{8}, {5}, {2}}));  // [3, 8]
  const Tensor counts = torch::tensor({3, 9, 1});
  const auto draw = [&](uint64_t seed) {
    const nn::RandomScope scope(at::detail::createCPUGenerator(seed));
    return draw_positions(allowed, counts);
  };
  const Tensor first = draw(1);
  EXPECT_TRUE(torch::equal(first.sum(1), torch::tensor({3, 5, 1})));
  EXPECT_FALSE(first.logical_and(allowed.logical_not()).any().item<bool>());
  EXPECT_TRUE(torch::equal(first, draw(1)));
  Tensor often = torch::zeros({3, 8});
  for (uint64_t seed = 0; seed < 400; ++seed) often += draw(seed);
  EXPECT_NEAR(often[0].min().item<double>(), 150, 40);
  EXPECT_NEAR(often[0].max().item<double>(), 150, 40);
}

TEST(CtcGlancing, APairThatDoesNotFitIsNeitherShownNorLearnt) {
  const NatOptions options = undropped(test::nat_kind("ctc_glancing_mask"));
  auto model = test::random_nat(options, 2);
  model->train();
  const data::SentencePair fits{{5, 6, 7}, {8, 9}, "", "", 1}, too_long{{5}, {8, 9, 8, 9, 8, 9, 8, 9}, "", "", 1};
  const auto learn = [&](const std::vector<data::SentencePair>& pairs) {
    model->zero_grad();
    const PassResult found = learnt(model, options, data::PairBatchMaker().make(pairs), 3);
    for (const auto& parameter : model->parameters()) {
      EXPECT_TRUE(!parameter.grad().defined() || parameter.grad().isfinite().all().item<bool>());
    }
    return found.loss;
  };
  EXPECT_EQ(learn({too_long}), 0);
  EXPECT_GT(learn({fits, too_long}), 0);
}

class NatObjectiveKinds : public testing::TestWithParam<std::pair<std::string, NatOptions>> {
 protected:
  const NatOptions options = undropped(GetParam().second);
  families::NonAutoregressive model = test::random_nat(options, 2);
  const data::Batch batch = test::tiny_batch();
};
INSTANTIATE_TEST_SUITE_P(Kinds, NatObjectiveKinds, testing::ValuesIn(test::nat_kinds()),
                         [](const auto& kind) { return kind.param.first; });

TEST_P(NatObjectiveKinds, AValidationIsWhatThePairScorerSays) {
  const PassResult found = run_batch(objective_of(options), *model, batch, {}, /*learn=*/false);
  const auto pairs = test::tiny_pairs();
  double sum = 0;
  std::vector<std::vector<int32_t>> sources, targets;
  for (size_t i = 0; i < pairs.size(); ++i) {
    sources.push_back(pairs.pair(i).source);
    sources.back().push_back(3);
    targets.push_back(pairs.pair(i).target);
  }
  const auto scorer = backend::make_nat_factory(model.ptr(), options, {})->make_pair_scorer();
  for (size_t i = 0; i < pairs.size(); ++i) {
    const std::vector<decoding::Pair> one{{sources[i], targets[i], true}};
    const auto answers = scorer->answer(one, {});
    for (const float value : answers.front().log_probs) sum -= static_cast<double>(value);
  }
  EXPECT_NEAR(found.nll, sum, 1e-3 * sum);
  EXPECT_EQ(found.nll, run_batch(objective_of(options), *model, batch, {}, /*learn=*/false).nll);
}

TEST_P(NatObjectiveKinds, DrawsAreThoseOfTheScope) {
  model->train();
  const auto once = [&](uint64_t seed) { return learnt(model, options, batch, seed).loss; };
  EXPECT_EQ(once(7), once(7));
  const bool draws = options.objective == architecture::NatLoss::kMaskPredict || options.glances();
  EXPECT_EQ(once(7) == once(8), !draws);
}

TEST_P(NatObjectiveKinds, EveryParameterThatIsUsedHasAGradient) {
  model->train();
  learnt(model, options, batch, 3);
  for (const auto& item : model->named_parameters()) {
    // With tied embeddings, that of the target is in use in every kind.
    ASSERT_TRUE(item.value().grad().defined()) << item.key();
    EXPECT_TRUE(item.value().grad().isfinite().all().item<bool>()) << item.key();
  }
}

TEST_P(NatObjectiveKinds, LineWeightsMultiplyTheLosses) {
  data::Batch twice = batch;
  twice.weights.assign(static_cast<size_t>(batch.sentences), 2.0F);
  const auto loss_of = [&](const data::Batch& some) {
    return run_batch(objective_of(options), *model, some, {}, /*learn=*/false);
  };
  EXPECT_NEAR(loss_of(twice).loss, 2 * loss_of(batch).loss, 1e-3);
  EXPECT_NEAR(loss_of(twice).nll, 2 * loss_of(batch).nll, 1e-3);
}

TEST_P(NatObjectiveKinds, ReplicasLearnWhatOneModelDoes) {
  const auto objective = std::make_shared<NatObjective>(NatObjectiveOptions{.model = options});
  const auto gradients = [&](const std::vector<data::Batch>& parts) {
    families::NonAutoregressive fresh = test::random_nat(options, 2);
    Replicas group(fresh.ptr(), static_cast<int>(parts.size()), [&] { return test::random_nat(options, 2).ptr(); },
                   objective, {});
    group.run(parts, 1);
    return group.take_gradients(1.0);
  };
  const auto first = gradients({batch, batch}), second = gradients({batch, batch});
  for (size_t i = 0; i < first.size(); ++i) EXPECT_TRUE(torch::equal(first[i], second[i]));
}

TEST(NatObjective, WithoutGlancingItIsThePlainLoss) {
  NatOptions glancing = undropped(test::nat_kind("glancing_mask"));
  glancing.glancing_ratio = glancing.glancing_final = 0;
  families::NonAutoregressive model = test::random_nat(glancing, 2);
  const data::Batch batch = test::tiny_batch();
  EXPECT_NEAR(learnt(model, glancing, batch, 1).loss,
              run_batch(objective_of(glancing), *model, batch, {}, /*learn=*/false).loss, 1e-3);
}

TEST(NatObjective, LabelSmoothingIsThatOfTheTokens) {
  const NatOptions options = undropped(test::nat_kind("plain_mask_eos"));
  families::NonAutoregressive model = test::random_nat(options, 2);
  const data::Batch batch = test::tiny_batch();
  const auto plain = run_batch(objective_of(options), *model, batch, {}, false);
  const auto smoothed = run_batch(objective_of(options, 0.1), *model, batch, {}, false);
  EXPECT_NEAR(plain.nll, smoothed.nll, 1e-3);
  EXPECT_NE(plain.loss, smoothed.loss);
  EXPECT_NEAR(plain.loss, plain.nll, 1e-3);
}

TEST(NatObjective, PairsThatDoNotFitIntoTheirPositionsAreCountedAndLeftOut) {
  const NatOptions options = undropped(test::nat_kind("ctc_uniform"));
  families::NonAutoregressive model = test::random_nat(options, 2);
  data::ParallelCorpus pairs;
  pairs.add(std::vector<int32_t>{5, 6}, std::vector<int32_t>{7, 8});
  pairs.add(std::vector<int32_t>{5}, std::vector<int32_t>{7, 7, 7});           // 4 positions, 5 are needed
  pairs.add(std::vector<int32_t>{5}, std::vector<int32_t>{7, 8, 9, 10, 11, 12});
  const auto measured = [&](const std::vector<uint32_t>& numbers, std::vector<Measure>* measures) {
    const data::Batch batch = data::PairBatchMaker().make(data::read_pairs(pairs, numbers));
    return run_batch(objective_of(options), *model, batch, {}, /*learn=*/false, measures);
  };
  std::vector<Measure> measures;
  const PassResult all = measured({0, 1, 2}, &measures);
  EXPECT_NEAR(all.loss, measured({0}, nullptr).loss, 1e-4);
  ASSERT_EQ(measures.size(), 1U);
  EXPECT_EQ(measures[0].name, "ctc_too_long");
  EXPECT_EQ(measures[0].sum, 2);
  EXPECT_EQ(measures[0].count, 3);
}

}  // namespace
}  // namespace ventris::training
