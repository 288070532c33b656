// Our BERT against the one of make_bert_expected.py, which wrote bert_expected.json.
#include "families/bert.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "nn/masks.h"
#include "nn/module_parameters.h"
#include "parity/expected.h"
#include "training/bert_objective.h"

namespace ventris::nn {
namespace {

using architecture::BertOptions;
using families::BertForPreTraining;
using families::BertStates;
using nlohmann::json;
using test::distance;
using test::stored;
using torch::Tensor;

const json& bert_cases() {
  static const json file = test::expected_file("bert_expected.json");
  return file;
}

std::vector<int32_t> flat(const json& rows) {
  std::vector<int32_t> all;
  for (const json& row : rows) {
    for (const int32_t id : row) all.push_back(id);
  }
  return all;
}

data::Batch batch() {
  data::Batch batch;
  batch.sentences = static_cast<int64_t>(bert_cases().at("ids").size());
  batch.src_len = batch.tgt_len = static_cast<int64_t>(bert_cases().at("ids").at(0).size());
  batch.source = flat(bert_cases().at("ids"));
  batch.segments = flat(bert_cases().at("segments"));
  batch.target_out = flat(bert_cases().at("labels"));
  batch.classes = bert_cases().at("classes").get<std::vector<int32_t>>();
  batch.target_tokens = std::ranges::count_if(batch.target_out, [](int32_t id) { return id != 0; });
  return batch;
}

class BertParity : public testing::Test {
 protected:
  BertParity() : model(options()) {
    const torch::NoGradGuard no_grad;
    const auto parameters = model->named_parameters();
    const auto& names = bert_cases().at("parameters");
    for (size_t k = 0; k < names.size(); ++k) {
      const std::string name = names[k];
      Tensor parameter = parameters[name];
      const Tensor angle = 0.37 * torch::arange(parameter.numel(), torch::kDouble) + 1.3 * static_cast<double>(k);
      const Tensor wave = torch::cos(angle).view(parameter.sizes());
      parameter.copy_(name.ends_with("LayerNorm.weight") ? 1 + 0.1 * wave : 0.3 * wave);
    }
  }

  static BertOptions options() {
    const json& entry = bert_cases().at("options");
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

  Tensor ids(const char* key) {
    const data::Batch all = batch();
    return torch::tensor(flat(bert_cases().at(key)), torch::kLong).view({all.sentences, all.src_len});
  }

  BertForPreTraining model;
};

TEST_F(BertParity, ParametersHaveTheNamesOfTheReference) {
  std::vector<std::string> names;
  for (const auto& parameter : distinct_named_parameters(*model)) names.push_back(parameter.name);
  std::vector<std::string> wanted = bert_cases().at("parameters");
  std::ranges::sort(names);
  std::ranges::sort(wanted);
  EXPECT_EQ(names, wanted);
}

TEST_F(BertParity, StatesAndLogitsAgree) {
  model->eval();
  const Tensor source = ids("ids"), mask = padding_mask(source, 0);
  const BertStates states = model->encode(source, ids("segments"), mask);
  const Tensor visible = mask.squeeze(1).unsqueeze(2).to(torch::kFloat);
  ASSERT_EQ(states.layers.size(), bert_cases().at("states").size());
  for (size_t i = 0; i < states.layers.size(); ++i) {
    EXPECT_LE(distance(states.layers[i] * visible, stored(bert_cases().at("states")[i]), 1e-5), 1) << "layer " << i;
  }
  EXPECT_LE(distance(states.pooled, stored(bert_cases().at("pooled")), 1e-5), 1);
  const Tensor words = model->predictions->forward(states.layers.back()) * visible;
  EXPECT_LE(distance(words, stored(bert_cases().at("words")), 1e-5), 1);
  EXPECT_LE(distance(model->next_sentence(states.pooled), stored(bert_cases().at("following")), 1e-5), 1);
}

TEST_F(BertParity, LossAndGradientsAgree) {
  const training::BertObjective objective({});
  const auto found = objective.loss(*model, batch(), /*learn=*/true);
  EXPECT_NEAR(found.loss.item<double>(), bert_cases().at("loss").get<double>(), 1e-4);
  EXPECT_NEAR(found.nll.item<double>(), bert_cases().at("nll").get<double>(), 1e-4);
  found.loss.backward();
  const auto parameters = model->named_parameters();
  for (const auto& [name, gradient] : bert_cases().at("gradients").items()) {
    EXPECT_LE(distance(parameters[name].grad(), stored(gradient), 1e-4), 1) << name;
  }
}

TEST_F(BertParity, PaddingChangesNothing) {
  model->eval();
  const Tensor source = ids("ids").narrow(0, 1, 1), segments = ids("segments").narrow(0, 1, 1);
  const Tensor padded = model->encode(source, segments, padding_mask(source, 0)).layers.back().narrow(1, 0, 5);
  const Tensor alone = model->encode(source.narrow(1, 0, 5), segments.narrow(1, 0, 5), {}).layers.back();
  EXPECT_LE(distance(padded, alone, 1e-5), 1);
}

TEST_F(BertParity, MoreTokensThanPositionsAreRefused) {
  const Tensor source = torch::ones({1, 17}, torch::kLong);
  EXPECT_THROW(model->encode(source, torch::zeros_like(source), {}), c10::Error);
}

}  // namespace
}  // namespace ventris::nn
