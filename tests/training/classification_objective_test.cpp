#include "training/classification_objective.h"

#include <gtest/gtest.h>

#include "families/bert_classifier.h"

namespace ventris::training {
namespace {

using families::BertForSequenceClassification;
using torch::Tensor;

class ClassificationLoss : public testing::Test {
 protected:
  ClassificationLoss() {
    torch::manual_seed(2);
    model = BertForSequenceClassification(
        architecture::BertOptions{.vocab = 12, .layers = 1, .d_model = 8, .d_ff = 8, .heads = 2, .max_positions = 8},
        3);
    const torch::NoGradGuard no_grad;
    for (auto& item : model->named_parameters()) item.value().normal_(0, 0.5);
    model->eval();
    batch.sentences = batch.target_tokens = 3;
    batch.src_len = 4;
    batch.source = {2, 7, 8, 3, 2, 9, 3, 0, 2, 10, 11, 3};
    batch.classes = {1, 0, 2};
  }
  Tensor logits() {
    const Tensor ids = torch::tensor(std::vector<int64_t>(batch.source.begin(), batch.source.end())).view({3, 4});
    return model->forward(ids, torch::zeros_like(ids), ids.ne(0).unsqueeze(1));
  }
  Tensor labels() const { return torch::tensor(std::vector<int64_t>(batch.classes.begin(), batch.classes.end())); }

  BertForSequenceClassification model{nullptr};
  data::Batch batch;
};

TEST_F(ClassificationLoss, IsTheCrossEntropyOfPyTorchAlsoWithSmoothing) {
  for (const double smoothing : {0.0, 0.2}) {
    const auto found = ClassificationObjective({.label_smoothing = smoothing}).loss(*model, batch, /*learn=*/true);
    const auto reduction = at::Reduction::Sum;
    const Tensor expected = at::cross_entropy_loss(logits(), labels(), {}, reduction, -100, smoothing);
    EXPECT_NEAR(found.loss.item<double>(), expected.item<double>(), 1e-5);
    EXPECT_NEAR(found.nll.item<double>(), at::cross_entropy_loss(logits(), labels(), {}, reduction).item<double>(),
                1e-5);
    EXPECT_TRUE(found.measures.empty());
  }
}

TEST_F(ClassificationLoss, LineWeightsMultiplyTheLossOfATextButNotTheAccuracy) {
  batch.weights = {2, 0.5, 0};
  const auto found = ClassificationObjective({}).loss(*model, batch, /*learn=*/false);
  const Tensor each = at::cross_entropy_loss(logits(), labels(), {}, at::Reduction::None);
  EXPECT_NEAR(found.loss.item<double>(), (each * torch::tensor(batch.weights)).sum().item<double>(), 1e-5);
  ASSERT_EQ(found.measures.size(), 1U);
  EXPECT_EQ(found.measures[0].name, "accuracy");
  EXPECT_EQ(found.measures[0].count, 3);
  EXPECT_EQ(found.measures[0].sum, logits().argmax(1).eq(labels()).sum().item<double>());
}

}  // namespace
}  // namespace ventris::training
