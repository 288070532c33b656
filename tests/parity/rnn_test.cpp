// Our recurrent encoder-decoder against the one of make_rnn_expected.py, which wrote rnn_expected.json.
#include "families/rnn.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "architecture/rnn_options.h"
#include "nn/attention_watch.h"
#include "nn/loss.h"
#include "nn/masks.h"
#include "nn/module_parameters.h"
#include "parity/expected.h"

namespace ventris::nn {
namespace {

using architecture::RnnOptions;
using families::RnnEncoderDecoder;
using nlohmann::json;
using test::distance;
using test::stored;
using test::stored_ids;
using torch::Tensor;

const json& rnn_cases() {
  static const json file = test::expected_file("rnn_expected.json");
  return file;
}

RnnOptions options_of(const json& entry) {
  json settings = entry;
  for (const char* vocabulary : {"src_vocab", "tgt_vocab"}) settings.erase(vocabulary);
  settings["dropout"] = 0;
  core::JsonReader reader(settings, "model");
  const auto parsed = architecture::parse("rnn", "architecture", reader);
  reader.finish();
  const auto sized = parsed->with_vocabularies(entry.at("src_vocab"), entry.at("tgt_vocab"));
  return dynamic_cast<const architecture::RnnArchitecture&>(*sized).options;
}

/// Weight i of the k-th parameter of the script.
void fill(RnnEncoderDecoder& model, const std::vector<std::string>& names) {
  const torch::NoGradGuard no_grad;
  const auto parameters = model->named_parameters();
  for (size_t k = 0; k < names.size(); ++k) {
    Tensor parameter = parameters[names[k]];
    const Tensor angle = 0.37 * torch::arange(parameter.numel(), torch::kDouble) + 1.3 * static_cast<double>(k);
    parameter.copy_((0.5 * torch::cos(angle)).view(parameter.sizes()));
  }
}

class RnnParity : public testing::TestWithParam<std::string> {
 protected:
  RnnParity() : entry(rnn_cases().at("cases").at(GetParam())), model(options_of(entry.at("options"))) {
    fill(model, entry.at("parameters"));
  }

  struct Result {
    Memory memory;
    Tensor hidden, log_probs;
    LossResult loss;
  };

  Result run() {
    Result result;
    result.memory = model->encode(source, src_mask);
    result.hidden = model->decode(result.memory, tgt_in, tgt_mask);
    const Tensor logits = model->generator->logits(result.hidden);
    result.log_probs = model->generator(result.hidden);
    result.loss = label_smoothed_loss(logits.flatten(0, 1), targets, rnn_cases().at("smoothing"), pad);
    return result;
  }

  void expect_equal(const std::string& name, const Tensor& got) {
    EXPECT_LE(distance(got, stored(entry.at("tensors").at(name)), 1e-5), 1) << name;
  }

  const json& entry;
  RnnEncoderDecoder model;
  const int64_t pad = rnn_cases().at("pad");
  const Tensor source = stored_ids(entry.at("source")), target = stored_ids(entry.at("target"));
  const Tensor tgt_in = target.narrow(1, 0, target.size(1) - 1);
  const Tensor targets = target.narrow(1, 1, target.size(1) - 1).flatten();
  const Tensor src_mask = padding_mask(source, pad), tgt_mask = target_mask(tgt_in, pad);
};

TEST_P(RnnParity, NamesAreTheReferences) {
  std::vector<std::string> names = model->named_parameters().keys();
  for (const auto& buffer : model->named_buffers()) names.push_back(buffer.key());
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, entry.at("state_dict").get<std::vector<std::string>>());
  EXPECT_EQ(distinct_parameters(*model).size(), entry.at("parameters").size());
}

TEST_P(RnnParity, OutputsAgree) {
  const Result result = run();
  expect_equal("memory", result.memory.states);
  expect_equal("finals", torch::stack(result.memory.finals));
  expect_equal("hidden", result.hidden);
  expect_equal("log_probs", result.log_probs);
  expect_equal("loss", result.loss.loss);
  expect_equal("nll", result.loss.nll);
  EXPECT_TRUE(torch::equal(model->forward(source, tgt_in, src_mask, tgt_mask), result.hidden));
}

TEST_P(RnnParity, AttentionWeightsAgree) {
  const AttentionBlocks blocks = model->attention_blocks();
  ASSERT_EQ(blocks.cross.size(), entry.at("tensors").contains("weights") ? 1U : 0U);
  const AttentionWatch watch(blocks.cross);
  run();
  if (!blocks.cross.empty()) expect_equal("weights", watch.kept(0).squeeze(1));
}

TEST_P(RnnParity, StepsAgree) {
  model->eval();
  const torch::NoGradGuard no_grad;
  const auto steps = model->make_step_model();
  steps->admit(source, src_mask);
  std::vector<Tensor> found;
  for (int64_t i = 0; i < tgt_in.size(1); ++i) {
    steps->follow(std::vector<int32_t>{0, 1, 2});
    found.push_back(steps->log_probs(tgt_in.select(1, i)));
  }
  expect_equal("log_probs", torch::stack(found, 1));
}

TEST_P(RnnParity, EveryGradientAgrees) {
  run().loss.loss.backward();
  const auto parameters = model->named_parameters();
  for (const auto& [name, gradient] : entry.at("gradients").items()) {
    EXPECT_LE(distance(parameters[name].grad(), stored(gradient), 1e-4), 1) << name;
  }
}

TEST_P(RnnParity, TenStepsOfAdamAgree) {
  torch::optim::AdamOptions options(rnn_cases().at("learning_rate").get<double>());
  torch::optim::Adam optimizer(distinct_parameters(*model), options.betas({0.9, 0.98}).eps(1e-9));
  for (const double wanted : entry.at("losses").get<std::vector<double>>()) {
    optimizer.zero_grad();
    const Tensor mean = run().loss.loss / targets.ne(pad).sum();
    mean.backward();
    optimizer.step();
    EXPECT_NEAR(mean.item<double>(), wanted, 1e-4 * wanted);
  }
}

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const auto& item : rnn_cases().at("cases").items()) names.push_back(item.key());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Cases, RnnParity, testing::ValuesIn(case_names()),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace ventris::nn
