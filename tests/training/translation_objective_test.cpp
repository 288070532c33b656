#include "training/translation_objective.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

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

}  // namespace
}  // namespace ventris::training
