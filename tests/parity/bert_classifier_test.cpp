// Our classifier over BERT against the one of make_bert_classifier_expected.py, which wrote
// bert_classifier_expected.json.
#include "families/bert_classifier.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "nn/masks.h"
#include "nn/module_parameters.h"
#include "parity/expected.h"
#include "training/classification_objective.h"

namespace ventris::nn {
namespace {

using families::BertForSequenceClassification;
using nlohmann::json;
using test::distance;
using test::stored;
using torch::Tensor;

class BertClassifierParity : public testing::Test {
 protected:
  BertClassifierParity() : model(options(), expected.at("labels").get<int64_t>()) {
    const torch::NoGradGuard no_grad;
    const auto parameters = model->named_parameters();
    const auto& names = expected.at("parameters");
    for (size_t k = 0; k < names.size(); ++k) {
      const std::string name = names[k];
      Tensor parameter = parameters[name];
      const Tensor angle = 0.37 * torch::arange(parameter.numel(), torch::kDouble) + 1.3 * static_cast<double>(k);
      const Tensor wave = torch::cos(angle).view(parameter.sizes());
      parameter.copy_(name.ends_with("LayerNorm.weight") ? 1 + 0.1 * wave : 0.3 * wave);
    }
  }

  architecture::BertOptions options() const {
    const json& entry = expected.at("options");
    return {.vocab = entry.at("vocab"),
            .layers = entry.at("layers"),
            .d_model = entry.at("d_model"),
            .d_ff = entry.at("d_ff"),
            .heads = entry.at("heads"),
            .dropout = 0,
            .attention_dropout = 0,
            .max_positions = entry.at("max_positions"),
            .norm_epsilon = entry.at("norm_epsilon")};
  }

  data::Batch batch() const {
    data::Batch batch;
    const auto rows = expected.at("ids").get<std::vector<std::vector<int32_t>>>();
    batch.sentences = batch.target_tokens = static_cast<int64_t>(rows.size());
    batch.src_len = static_cast<int64_t>(rows.front().size());
    for (const auto& row : rows) batch.source.insert(batch.source.end(), row.begin(), row.end());
    batch.classes = expected.at("classes").get<std::vector<int32_t>>();
    return batch;
  }

  void check_loss(double smoothing, const char* loss, const char* gradients) {
    model->zero_grad();
    const training::ClassificationObjective objective({.label_smoothing = smoothing});
    const auto found = objective.loss(*model, batch(), /*learn=*/true);
    EXPECT_NEAR(found.loss.item<double>(), expected.at(loss).get<double>(), 1e-4);
    EXPECT_NEAR(found.nll.item<double>(), expected.at("loss").get<double>(), 1e-4);
    found.loss.backward();
    const auto parameters = model->named_parameters();
    for (const auto& [name, gradient] : expected.at(gradients).items()) {
      EXPECT_LE(distance(parameters[name].grad(), stored(gradient), 1e-4), 1) << name;
    }
  }

  const json expected = test::expected_file("bert_classifier_expected.json");
  BertForSequenceClassification model;
};

TEST_F(BertClassifierParity, ParametersHaveTheNamesOfTheReference) {
  std::vector<std::string> names;
  for (const auto& parameter : distinct_named_parameters(*model)) names.push_back(parameter.name);
  std::vector<std::string> wanted = expected.at("parameters");
  std::ranges::sort(names);
  std::ranges::sort(wanted);
  EXPECT_EQ(names, wanted);
}

TEST_F(BertClassifierParity, LogitsAgree) {
  model->eval();
  const data::Batch all = batch();
  const Tensor ids = training::to_tensor(all.source, all.sentences, all.src_len, torch::kCPU);
  const Tensor logits = model->forward(ids, torch::zeros_like(ids), padding_mask(ids, 0));
  EXPECT_LE(distance(logits, stored(expected.at("logits")), 1e-5), 1);
}

TEST_F(BertClassifierParity, LossAndGradientsAgree) { check_loss(0, "loss", "gradients"); }

TEST_F(BertClassifierParity, LossAndGradientsWithLabelSmoothingAgree) {
  check_loss(expected.at("smoothing"), "smoothed_loss", "smoothed_gradients");
}

}  // namespace
}  // namespace ventris::nn
