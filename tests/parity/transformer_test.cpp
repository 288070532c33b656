// Our Transformer against the one of make_transformer_expected.py, which wrote transformer_expected.json.
#include "nn/transformer.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "nn/loss.h"
#include "nn/masks.h"
#include "nn/parameters.h"

namespace ventris::nn {
namespace {

using nlohmann::json;
using torch::Tensor;

const json& expected() {
  static const json file = [] {
    std::ifstream stream(VENTRIS_SOURCE "/tests/parity/transformer_expected.json");
    return json::parse(stream);
  }();
  return file;
}

Tensor stored(const json& entry) {
  const auto values = entry.at("values").get<std::vector<float>>();
  return torch::tensor(values).view(entry.at("shape").get<std::vector<int64_t>>());
}

Tensor ids(const json& rows) {
  std::vector<Tensor> tensors;
  for (const json& row : rows) tensors.push_back(torch::tensor(row.get<std::vector<int64_t>>()));
  return torch::stack(tensors);
}

TransformerOptions options_of(const json& entry) {
  const std::map<std::string, Tying> tyings = {
      {"none", Tying::kNone}, {"decoder", Tying::kDecoder}, {"all", Tying::kAll}};
  return TransformerOptions{
      .src_vocab = entry.at("src_vocab"),
      .tgt_vocab = entry.at("tgt_vocab"),
      .encoder_layers = entry.at("encoder_layers"),
      .decoder_layers = entry.at("decoder_layers"),
      .d_model = entry.at("d_model"),
      .d_ff = entry.at("d_ff"),
      .heads = entry.at("heads"),
      .dropout = 0,
      .norm = entry.at("norm") == "pre" ? NormPlace::kPre : NormPlace::kPost,
      .activation = entry.at("activation") == "relu" ? Activation::kRelu : Activation::kGelu,
      .positions = entry.at("positions") == "learned" ? Positions::kLearned : Positions::kSinusoidal,
      .max_positions = entry.at("max_positions"),
      .tying = tyings.at(entry.at("tying"))};
}

/// Weight i of the k-th parameter of the script.
void fill(EncoderDecoder& model, const std::vector<std::string>& names) {
  const torch::NoGradGuard no_grad;
  const auto parameters = model->named_parameters();
  for (size_t k = 0; k < names.size(); ++k) {
    Tensor parameter = parameters[names[k]];
    const Tensor angle = 0.37 * torch::arange(parameter.numel(), torch::kDouble) + 1.3 * static_cast<double>(k);
    const Tensor wave = torch::cos(angle).view(parameter.sizes());
    const bool scale = names[k].ends_with("norm.weight");
    parameter.copy_(scale ? 1 + 0.1 * wave : 0.3 * wave);
  }
}

/// The largest difference in units of `tolerance` x max(1, |expected|); at most 1 is agreement.
double distance(const Tensor& got, const Tensor& want, double tolerance) {
  if (got.sizes() != want.sizes()) return std::numeric_limits<double>::infinity();
  return ((got - want).abs() / want.abs().clamp_min(1)).max().item<double>() / tolerance;
}

class TransformerParity : public testing::TestWithParam<std::string> {
 protected:
  TransformerParity() : entry(expected().at("cases").at(GetParam())), model(options_of(entry.at("options"))) {
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
    result.loss = label_smoothed_loss(logits.flatten(0, 1), targets, expected().at("smoothing"), pad);
    return result;
  }

  void expect_equal(const std::string& name, const Tensor& got) {
    EXPECT_LE(distance(got, stored(entry.at("tensors").at(name)), 1e-5), 1) << name;
  }

  const json& entry;
  EncoderDecoder model;
  const int64_t pad = expected().at("pad");
  const Tensor source = ids(entry.at("source")), target = ids(entry.at("target"));
  const Tensor tgt_in = target.narrow(1, 0, target.size(1) - 1);
  const Tensor targets = target.narrow(1, 1, target.size(1) - 1).flatten();
  const Tensor src_mask = padding_mask(source, pad), tgt_mask = target_mask(tgt_in, pad);
};

TEST_P(TransformerParity, NamesAreTheReferences) {
  std::vector<std::string> names = model->named_parameters().keys();
  for (const auto& buffer : model->named_buffers()) names.push_back(buffer.key());
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, entry.at("state_dict").get<std::vector<std::string>>());
  EXPECT_EQ(distinct_parameters(*model).size(), entry.at("parameters").size());
}

TEST_P(TransformerParity, OutputsAgree) {
  const Result result = run();
  expect_equal("memory", result.memory.states);
  expect_equal("hidden", result.hidden);
  expect_equal("log_probs", result.log_probs);
  expect_equal("loss", result.loss.loss);
  expect_equal("nll", result.loss.nll);
  EXPECT_TRUE(torch::equal(model->forward(source, tgt_in, src_mask, tgt_mask), result.hidden));
}

TEST_P(TransformerParity, AttentionWeightsAgree) {
  const Tensor x = model->src_embed->forward(source), y = model->tgt_embed->forward(tgt_in);
  const Tensor memory = model->encode(source, src_mask).states;
  auto& encoder_layer = *model->encoder->layers->ptr<EncoderLayerImpl>(0);
  auto& decoder_layer = *model->decoder->layers->ptr<DecoderLayerImpl>(0);
  expect_equal("encoder_weights", encoder_layer.self_attn->forward_with_weights(x, x, x, src_mask).second);
  expect_equal("decoder_weights", decoder_layer.self_attn->forward_with_weights(y, y, y, tgt_mask).second);
  expect_equal("source_weights", decoder_layer.src_attn->forward_with_weights(y, memory, memory, src_mask).second);
}

TEST_P(TransformerParity, EveryGradientAgrees) {
  run().loss.loss.backward();
  const auto parameters = model->named_parameters();
  for (const auto& [name, gradient] : entry.at("gradients").items()) {
    EXPECT_LE(distance(parameters[name].grad(), stored(gradient), 1e-4), 1) << name;
  }
}

TEST_P(TransformerParity, TenStepsOfAdamAgree) {
  torch::optim::AdamOptions options(expected().at("learning_rate").get<double>());
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
  for (const auto& item : expected().at("cases").items()) names.push_back(item.key());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Cases, TransformerParity, testing::ValuesIn(case_names()),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace ventris::nn
