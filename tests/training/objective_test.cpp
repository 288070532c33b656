#include "training/objective.h"

#include <ATen/autocast_mode.h>
#include <gtest/gtest.h>

namespace ventris::training {
namespace {

/// A model with one number, w.
class OneNumber : public nn::ModelImpl {
 public:
  OneNumber() { w = register_parameter("w", torch::tensor({3.0F})); }
  torch::Tensor w;
};

/// The loss w^2, and the plain one w. Records what it was asked.
class Square : public Objective {
 public:
  BatchLoss loss(nn::ModelImpl& model, const data::Batch& /*batch*/, bool learn) const override {
    ++calls;
    bf16 = at::autocast::is_autocast_enabled(at::kCPU);
    const torch::Tensor w = dynamic_cast<OneNumber&>(model).w;
    BatchLoss found{(w * w).sum(), w.detach().sum()};
    if (!learn) found.measures.push_back({"accuracy", 2, 5});
    return found;
  }
  mutable int calls = 0;
  mutable bool bf16 = false;
};

data::Batch batch_of_two() {
  data::Batch batch;
  batch.sentences = 2;
  batch.target_tokens = 7;
  batch.target_weight = 3.5;
  return batch;
}

TEST(RunBatch, GivesTheSumsAndAddsGradientsOnlyToLearn) {
  OneNumber model;
  const Square objective;
  const PassResult found = run_batch(objective, model, batch_of_two(), {}, /*learn=*/false);
  EXPECT_EQ(found.loss, 9);
  EXPECT_EQ(found.nll, 3);
  EXPECT_EQ(found.target_tokens, 7);
  EXPECT_EQ(found.target_weight, 3.5);
  EXPECT_FALSE(model.w.grad().defined());
  run_batch(objective, model, batch_of_two(), {}, /*learn=*/true);
  run_batch(objective, model, batch_of_two(), {}, /*learn=*/true);
  EXPECT_EQ(model.w.grad().item<float>(), 12) << "2 w, twice";
}

TEST(RunBatch, AnEmptyBatchGivesZeros) {
  OneNumber model;
  const Square objective;
  const PassResult found = run_batch(objective, model, {}, {}, /*learn=*/true);
  EXPECT_EQ(found.loss, 0);
  EXPECT_EQ(found.target_tokens, 0);
  EXPECT_EQ(objective.calls, 0);
  EXPECT_FALSE(model.w.grad().defined());
}

TEST(RunBatch, Bf16IsOnOnlyDuringThePass) {
  OneNumber model;
  const Square objective;
  run_batch(objective, model, batch_of_two(), {.bf16 = true}, /*learn=*/true);
  EXPECT_TRUE(objective.bf16);
  EXPECT_FALSE(at::autocast::is_autocast_enabled(at::kCPU));
  run_batch(objective, model, batch_of_two(), {}, /*learn=*/true);
  EXPECT_FALSE(objective.bf16);
}

TEST(Measures, AreAddedUpByTheirPlaces) {
  OneNumber model;
  const Square objective;
  std::vector<Measure> sum;
  for (int i = 0; i < 3; ++i) run_batch(objective, model, batch_of_two(), {}, /*learn=*/false, &sum);
  ASSERT_EQ(sum.size(), 1U);
  EXPECT_EQ(sum[0].name, "accuracy");
  EXPECT_EQ(sum[0].sum, 6);
  EXPECT_EQ(sum[0].count, 15);
  add_measures({}, sum);
  EXPECT_EQ(sum[0].count, 15) << "an empty batch has measured nothing";
}

TEST(PassResults, AreAddedUp) {
  PassResult sum{1, 2, 3, 4};
  sum += {10, 20, 30, 40};
  EXPECT_EQ(sum.loss, 11);
  EXPECT_EQ(sum.nll, 22);
  EXPECT_EQ(sum.target_tokens, 33);
  EXPECT_EQ(sum.target_weight, 44);
}

TEST(ToTensor, IdsAreRowsOfLongNumbersOfTheirOwn) {
  std::vector<int32_t> ids{1, 2, 3, 4, 5, 6};
  const torch::Tensor tensor = to_tensor(ids, 2, 3, torch::kCPU);
  ids[0] = 9;
  EXPECT_TRUE(torch::equal(tensor, torch::tensor({{1, 2, 3}, {4, 5, 6}}, torch::kLong)));
}

}  // namespace
}  // namespace ventris::training
