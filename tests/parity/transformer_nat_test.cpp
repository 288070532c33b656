// Our non-autoregressive Transformer against the one of make_transformer_nat_expected.py, which wrote
// transformer_nat_expected.json.
#include "families/transformer_nat.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <ATen/CPUGeneratorImpl.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "architecture/transformer_nat_options.h"
#include "nn/masks.h"
#include "nn/module_parameters.h"
#include "nn/random_scope.h"
#include "parity/transformer_case.h"
#include "training/nat_objective.h"

namespace ventris::families {
namespace {

using nlohmann::json;
using test::distance;
using test::stored;
using test::stored_ids;
using torch::Tensor;

const json& nat_cases() {
  static const json file = test::expected_file("transformer_nat_expected.json");
  return file;
}

architecture::NatOptions options_of(json settings) {
  const int64_t src_vocab = settings.at("src_vocab"), tgt_vocab = settings.at("tgt_vocab");
  for (const char* vocabulary : {"src_vocab", "tgt_vocab"}) settings.erase(vocabulary);
  settings["dropout"] = 0;
  core::JsonReader reader(settings, "model");
  const auto parsed = architecture::parse("transformer-nat", "architecture", reader);
  reader.finish();
  const auto sized = parsed->with_vocabularies(src_vocab, tgt_vocab);
  return dynamic_cast<const architecture::NatArchitecture&>(*sized).options;
}

/// The pairs of a case as a batch.
data::Batch batch_of(const json& entry) {
  std::vector<data::SentencePair> pairs;
  const auto unpadded = [](std::vector<int32_t> ids) {
    std::erase(ids, 0);
    return ids;
  };
  for (size_t i = 0; i < entry.at("source").size(); ++i) {
    pairs.push_back({unpadded(entry.at("source")[i]), unpadded(entry.at("target")[i]), "", "", 1});
  }
  data::Batch batch = data::PairBatchMaker().make(pairs);
  // The sources of the script have no eos.
  batch.src_len -= 1;
  batch.source.clear();
  for (const json& row : entry.at("source")) {
    for (const json& id : row) batch.source.push_back(id);
  }
  return batch;
}

class NatParity : public testing::TestWithParam<std::string> {
 protected:
  NatParity()
      : entry(nat_cases().at("cases").at(GetParam())), options(options_of(entry.at("options"))), model(options) {
    const torch::NoGradGuard no_grad;
    const auto parameters = model->named_parameters();
    const auto names = entry.at("parameters").get<std::vector<std::string>>();
    for (size_t k = 0; k < names.size(); ++k) {
      Tensor parameter = parameters[names[k]];
      const Tensor angle = 0.37 * torch::arange(parameter.numel(), torch::kDouble) + 1.3 * static_cast<double>(k);
      const Tensor wave = torch::cos(angle).view(parameter.sizes());
      parameter.copy_(names[k].ends_with("norm.weight") ? 1 + 0.1 * wave : 0.3 * wave);
    }
  }

  void expect_equal(const std::string& name, const Tensor& got) const {
    EXPECT_LE(distance(got, stored(entry.at("tensors").at(name)), 1e-5), 1) << name;
  }
  /// Zeros where a position is after the length of its row.
  Tensor visible(const Tensor& x) const { return x * tgt_mask.squeeze(1).unsqueeze(2); }

  void expect_gradients(const json& gradients) {
    const auto parameters = model->named_parameters();
    for (const auto& [name, gradient] : gradients.items()) {
      EXPECT_LE(distance(parameters[name].grad(), stored(gradient), 1e-4), 1) << name;
    }
  }

  training::BatchLoss loss(const data::Batch& of, bool learn = false) {
    const training::NatObjectiveOptions settings{.model = options, .label_smoothing = nat_cases().at("smoothing")};
    return training::NatObjective(settings).loss(*model, of, learn);
  }

  const json& entry;
  const architecture::NatOptions options;
  NonAutoregressive model;
  const Tensor source = stored_ids(entry.at("source"));
  const Tensor src_mask = nn::padding_mask(source, nat_cases().at("pad"));
  const Tensor lengths = torch::tensor(entry.at("lengths").get<std::vector<int64_t>>());
  const Tensor tgt_mask = nn::length_mask(lengths, lengths.max().item<int64_t>());
  const data::Batch batch = batch_of(entry);
};

/// Only cases whose objective draws at random in training.
class NatTrainingParity : public NatParity {};

std::vector<std::string> cases_with_draws() {
  std::vector<std::string> names = test::case_names(nat_cases());
  std::erase_if(names, [](const auto& name) { return nat_cases().at("cases").at(name).at("training").empty(); });
  return names;
}

TEST_P(NatParity, NamesAreTheReferences) {
  std::vector<std::string> names = model->named_parameters().keys();
  for (const auto& buffer : model->named_buffers()) names.push_back(buffer.key());
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, entry.at("state_dict").get<std::vector<std::string>>());
  EXPECT_EQ(nn::distinct_parameters(*model).size(), entry.at("parameters").size());
}

TEST_P(NatParity, OutputsAgree) {
  const nn::Memory memory = model->encode(source, src_mask);
  const Tensor first = model->first_input(source, src_mask, lengths);
  const Tensor hidden = model->decode(memory, first, tgt_mask);
  expect_equal("memory", memory.states);
  expect_equal("first_input", visible(first));
  expect_equal("hidden", visible(hidden));
  expect_equal("log_probs", visible(model->log_probs(hidden)));
  if (options.predicts_length()) expect_equal("length_log_probs", model->length_log_probs(memory));
}

TEST_P(NatParity, AttentionWeightsAgree) {
  const Tensor first = model->first_input(source, src_mask, lengths);
  const Tensor x = model->tgt_embed->ptr<nn::PositionalEncodingImpl>(1)->forward(first);
  auto& block = model->decoder->layer(0).self_attn;
  const Tensor weights = block->forward_with_weights(x, x, x, tgt_mask).second[0];  // [heads, longest, longest]
  expect_equal("decoder_weights", weights.narrow(1, 0, lengths[0].item<int64_t>()));
}

TEST_P(NatParity, LossesAndEveryGradientAgree) {
  const training::BatchLoss found = loss(batch);
  expect_equal("loss", found.loss.detach());
  expect_equal("nll", found.nll);
  found.loss.backward();
  expect_gradients(entry.at("gradients"));
}

TEST_P(NatTrainingParity, LossesWithTheDrawsOfTheScriptAndEveryGradientAgree) {
  for (const json& one : entry.at("training")) {
    SCOPED_TRACE("update " + one.at("update").dump());
    at::Generator generator = at::detail::createCPUGenerator(one.at("seed"));
    for (const json& numbers : one.at("draws")) {
      const Tensor wanted = stored(numbers);
      ASSERT_LE(distance(torch::empty_like(wanted).uniform_(0, 1, generator), wanted, 1e-7), 1)
          << "another generator of random numbers than that of the script";
    }
    data::Batch weighted = batch;
    weighted.update = one.at("update");
    weighted.weights = one.at("weights").get<std::vector<float>>();
    generator.set_current_seed(one.at("seed"));
    const nn::RandomScope scope(generator);
    model->zero_grad();
    const training::BatchLoss found = loss(weighted, /*learn=*/true);
    EXPECT_LE(distance(found.loss.detach(), stored(one.at("loss")), 1e-5), 1);
    EXPECT_LE(distance(found.nll, stored(one.at("nll")), 1e-5), 1);
    found.loss.backward();
    expect_gradients(one.at("gradients"));
  }
}

TEST_P(NatParity, TenStepsOfAdamAgree) {
  torch::optim::AdamOptions settings(nat_cases().at("learning_rate").get<double>());
  torch::optim::Adam optimizer(nn::distinct_parameters(*model), settings.betas({0.9, 0.98}).eps(1e-9));
  for (const double wanted : entry.at("losses").get<std::vector<double>>()) {
    optimizer.zero_grad();
    const Tensor mean = loss(batch).loss / batch.target_tokens;
    mean.backward();
    optimizer.step();
    EXPECT_NEAR(mean.item<double>(), wanted, 1e-4 * wanted);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, NatParity, testing::ValuesIn(test::case_names(nat_cases())),
                         [](const auto& name) { return name.param; });
INSTANTIATE_TEST_SUITE_P(Cases, NatTrainingParity, testing::ValuesIn(cases_with_draws()),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace ventris::families
