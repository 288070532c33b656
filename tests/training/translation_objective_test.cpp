#include "training/translation_objective.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>
#include <cmath>

#include "nn/random_scope.h"
#include "support/tiny_learning.h"
#include "training/replicas.h"

namespace ventris::training {
namespace {

using test::tiny_batch;
using test::tiny_model;

TEST(DropWords, ReadsTheShareOfOrdinaryTokensAsUnkAndNoOther) {
  TranslationOptions options;
  options.word_dropout = 0.2;
  const nn::RandomScope scope(at::detail::createCPUGenerator(7));
  const auto ids = torch::arange(0, 20).repeat({2000, 1}).to(torch::kInt);  // 0 to 3 are special
  const auto read = drop_words(ids, options);
  EXPECT_TRUE(torch::equal(read.slice(1, 0, 4), ids.slice(1, 0, 4)));
  const auto changed = read.ne(ids);
  EXPECT_TRUE(torch::all(read.masked_select(changed).eq(options.ids.unk)).item<bool>());
  EXPECT_NEAR(changed.slice(1, 4).to(torch::kDouble).mean().item<double>(), 0.2, 0.01);  // of 32,000
  options.word_dropout = 0;
  EXPECT_TRUE(torch::equal(drop_words(ids, options), ids));
}

/// What a model without dropout learns from a batch.
std::vector<torch::Tensor> learnt(const data::Batch& batch, const TranslationOptions& options, PassResult& result) {
  torch::manual_seed(3);
  auto model = tiny_model(0.0);
  Replicas group(model, 1, [] { return tiny_model(0.0); }, std::make_shared<TranslationObjective>(options), {});
  result = group.run({batch}, 1);
  return group.take_gradients(1.0);
}

void expect_same_gradients(const std::vector<torch::Tensor>& found, const std::vector<torch::Tensor>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) EXPECT_TRUE(torch::allclose(found[i], expected[i], 1e-4, 1e-5)) << i;
}

TEST(TranslationObjective, DropsWordsOfWhatIsReadNotOfWhatIsToBeSaid) {
  const data::Batch batch = tiny_batch();
  data::Batch unknown = batch;
  for (auto* ids : {&unknown.source, &unknown.target_in}) {
    for (int32_t& id : *ids) id = id > 3 ? 1 : id;
  }
  TranslationOptions all_dropped;
  all_dropped.word_dropout = 1 - 1e-9;
  PassResult found, expected;
  expect_same_gradients(learnt(batch, all_dropped, found), learnt(unknown, {}, expected));
  EXPECT_NEAR(found.loss, expected.loss, 1e-3);
  torch::manual_seed(3);
  auto model = tiny_model(0.3);
  model->eval();
  const auto loss_of = [&](const TranslationOptions& options) {
    return run_batch(TranslationObjective(options), *model, batch, {}, /*learn=*/false).loss;
  };
  EXPECT_EQ(loss_of(all_dropped), loss_of({}));
}

TEST(TranslationObjective, WithoutDropoutRDropTeachesWhatOnePassDoes) {
  const data::Batch batch = tiny_batch();
  TranslationOptions twice;
  twice.r_drop = 5;
  PassResult found, expected;
  expect_same_gradients(learnt(batch, twice, found), learnt(batch, {}, expected));
  EXPECT_NEAR(found.loss, expected.loss, 1e-3);
  EXPECT_NEAR(found.nll, expected.nll, 1e-3);
  EXPECT_EQ(found.target_tokens, expected.target_tokens);
}

/// Experts whose router gives all the same probability: the loss of each of the four blocks is 1.
TEST(TranslationObjective, AddsTheBalanceOfExpertsForEachTargetTokenOnlyInTraining) {
  nn::TransformerOptions options = tiny_model(0.0)->options;
  options.experts = 4;
  options.expert_balance = 0.25;
  torch::manual_seed(3);
  auto model = families::make_model(options);
  const torch::NoGradGuard no_grad;
  for (auto& parameter : model->named_parameters()) {
    if (parameter.key().ends_with("router.weight")) parameter.value().zero_();
  }
  data::Batch batch = tiny_batch();
  for (const double r_drop : {0.0, 1e-9}) {
    TranslationOptions settings;
    settings.r_drop = r_drop;
    const auto loss_of = [&](bool learn) { return TranslationObjective(settings).loss(*model, batch, learn).loss; };
    const auto tokens =
        static_cast<double>(std::ranges::count_if(batch.target_out, [](int32_t id) { return id != 0; }));
    EXPECT_NEAR((loss_of(true) - loss_of(false)).item<double>(), 0.25 * 4 * tokens, 1e-2);
    batch.weights.assign(static_cast<size_t>(batch.sentences), 0.5F);
    batch.target_weight = tokens / 2;
    EXPECT_NEAR((loss_of(true) - loss_of(false)).item<double>(), 0.25 * 4 * tokens / 2, 1e-2);
    batch.weights.clear();
    batch.target_weight = tokens;
  }
}

/// Each target token of the tiny pairs looks at the source token of its place.
data::Batch straight_batch() {
  data::Batch batch = tiny_batch();
  for (int32_t row = 0; row < batch.sentences; ++row) {
    for (int32_t i = 0; i <= row % 5; ++i) batch.links.push_back({row, i, i, 1});
  }
  return batch;
}

TEST(AlignmentLoss, IsTheCrossEntropyOfTheChosenHeadToTheLinks) {
  data::Batch batch;
  batch.sentences = batch.tgt_len = batch.src_len = 2;
  batch.links = {{0, 0, 1, 1}, {1, 0, 0, 0.5}, {1, 0, 1, 0.5}};
  const auto weights = torch::tensor({0.3, 0.7, 0.6, 0.4, 0.2, 0.8, 0.1, 0.9}).view({2, 1, 2, 2});
  const auto both = torch::cat({torch::full_like(weights, 0.5), weights}, 1);  // two heads
  const auto loss = [&](const model::GuidedAttention& guided) {
    return alignment_loss(both, batch, guided).item<double>();
  };
  EXPECT_NEAR(loss({1, 2, false}), -(std::log(0.7) + 0.5 * std::log(0.2) + 0.5 * std::log(0.8)), 1e-5);
  EXPECT_NEAR(loss({1, 2, true}), -(std::log(0.4) + 0.5 * std::log(0.1) + 0.5 * std::log(0.9)), 1e-5);
  EXPECT_NEAR(loss({1, 1, true}), -2 * std::log(0.5), 1e-5);
  const auto twice = torch::cat({both, both});  // two passes
  EXPECT_NEAR(alignment_loss(twice, batch, {1, 1, false}).item<double>(), -4 * std::log(0.5), 1e-5);
}

TEST(TranslationObjective, LinksAreLearntByTheChosenHeadOnlyInTraining) {
  const data::Batch batch = straight_batch();
  TranslationOptions options;
  options.guided = {.layer = 1, .head = 2, .reading = true};
  options.guided_weight = 1;
  for (const double r_drop : {0.0, 1.0}) {
    options.r_drop = r_drop;
    TranslationOptions without = options;
    without.guided = {};
    PassResult guided, plain;
    learnt(batch, options, guided);
    learnt(batch, without, plain);
    EXPECT_GT(guided.loss, plain.loss + 1);
    EXPECT_NEAR(guided.nll, plain.nll, 1e-3);
  }
  auto model = tiny_model(0.0);
  model->eval();
  const auto evaluated = [&](const data::Batch& given) {
    return run_batch(TranslationObjective(options), *model, given, {}, /*learn=*/false).loss;
  };
  EXPECT_EQ(evaluated(batch), evaluated(tiny_batch()));
}

TEST(TranslationObjective, AGuidedHeadComesToLookAtTheLinks) {
  const data::Batch batch = straight_batch();
  TranslationOptions options;
  options.guided = {.layer = 1, .head = 2, .reading = true};
  options.guided_weight = 1;
  torch::manual_seed(3);
  auto model = tiny_model(0.0);
  torch::optim::Adam adam(model->parameters(), torch::optim::AdamOptions(0.01));
  const TranslationObjective objective(options);
  const auto excess = [&] {  // of the loss with links over that without
    data::Batch plain = batch;
    plain.links.clear();
    return objective.loss(*model, batch, true).loss.item<double>() -
           objective.loss(*model, plain, true).loss.item<double>();
  };
  const double before = excess();
  for (int update = 0; update < 60; ++update) {
    adam.zero_grad();
    objective.loss(*model, batch, true).loss.backward();
    adam.step();
  }
  EXPECT_LT(excess(), 0.3 * before);
}

TEST(ScheduledSampling, TheShareRisesFromItsFirstUpdateOn) {
  settings::ScheduledSamplingConfig sampling;
  EXPECT_EQ(sampling_share(sampling, 100), 0);
  sampling = {.share = 0.4, .start_update = 10, .rising_updates = 4};
  EXPECT_EQ(sampling_share(sampling, 9), 0);
  EXPECT_DOUBLE_EQ(sampling_share(sampling, 10), 0.1);
  EXPECT_DOUBLE_EQ(sampling_share(sampling, 13), 0.4);
  EXPECT_DOUBLE_EQ(sampling_share(sampling, 1000), 0.4);
  sampling.rising_updates = 0;
  EXPECT_DOUBLE_EQ(sampling_share(sampling, 10), 0.4);
}

TEST(ScheduledSampling, AShareOfTheOrdinaryTokensBecomesThePredictionOfThePositionBefore) {
  const core::SpecialIds ids;
  const auto target = torch::cat({torch::full({500, 1}, 2), torch::full({500, 8}, 5), torch::zeros({500, 1})}, 1)
                          .to(torch::kLong);  // bos, ordinary tokens, padding
  const auto predicted = torch::arange(10, 20).repeat({500, 1});
  const nn::RandomScope scope(at::detail::createCPUGenerator(7));
  const auto read = with_predictions(target, predicted, 0.25, ids);
  EXPECT_TRUE(torch::equal(read.select(1, 0), target.select(1, 0)));
  EXPECT_TRUE(torch::equal(read.select(1, 9), target.select(1, 9)));
  const auto inner = read.slice(1, 1, 9), from = predicted.slice(1, 0, 8);
  const auto changed = inner.ne(5);
  EXPECT_TRUE(torch::equal(inner.masked_select(changed), from.masked_select(changed)));
  EXPECT_NEAR(changed.to(torch::kDouble).mean().item<double>(), 0.25, 0.02);  // of 4,000
  EXPECT_TRUE(torch::equal(with_predictions(target, torch::full_like(target, 3), 1, ids), target));  // eos
}

TEST(ScheduledSampling, IsAFunctionOfTheUpdateAndOnlyForLearning) {
  const data::Batch batch = tiny_batch();
  TranslationOptions options;
  options.sampling = {.share = 0.5, .start_update = 3};
  const auto loss = [&](int64_t update, bool learn) {
    torch::manual_seed(3);
    auto model = tiny_model(0.0);
    data::Batch given = batch;
    given.update = update;
    const nn::RandomScope scope(at::detail::createCPUGenerator(7));
    return TranslationObjective(options).loss(*model, given, learn).loss.item<double>();
  };
  EXPECT_EQ(loss(2, true), loss(2, false));
  EXPECT_NE(loss(3, true), loss(3, false));
  EXPECT_EQ(loss(3, true), loss(3, true));
  EXPECT_EQ(loss(3, false), loss(2, false));
}

}  // namespace
}  // namespace ventris::training
