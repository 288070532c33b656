#pragma once
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "architecture/architecture.h"
#include "architecture/transformer_options.h"
#include "families/transformer.h"
#include "nn/loss.h"
#include "nn/masks.h"
#include "parity/expected.h"

/// One of the networks that a script of this folder wrote: the same one with our modules, and what it must compute.
namespace ventris::test {

/// The options of a script: those of a settings file and the vocabularies. There is no dropout.
inline nn::TransformerOptions options_of(nlohmann::json entry) {
  const int64_t src_vocab = entry.at("src_vocab"), tgt_vocab = entry.at("tgt_vocab");
  entry.erase("src_vocab");
  entry.erase("tgt_vocab");
  entry["dropout"] = 0.0;
  core::JsonReader reader(entry, "options");
  const auto read = architecture::parse("transformer", "architecture", reader);
  reader.finish();
  auto options = dynamic_cast<const architecture::TransformerArchitecture&>(*read).options;
  options.src_vocab = src_vocab;
  options.tgt_vocab = tgt_vocab;
  return options;
}

/// Weight i of the k-th parameter of the script.
inline void fill(families::EncoderDecoder& model, const std::vector<std::string>& names) {
  const torch::NoGradGuard no_grad;
  const auto parameters = model->named_parameters();
  for (size_t k = 0; k < names.size(); ++k) {
    torch::Tensor parameter = parameters[names[k]];
    const torch::Tensor angle = 0.37 * torch::arange(parameter.numel(), torch::kDouble) + 1.3 * static_cast<double>(k);
    const torch::Tensor wave = torch::cos(angle).view(parameter.sizes());
    const bool scale = names[k].ends_with("norm.weight");
    parameter.copy_(scale ? 1 + 0.1 * wave : 0.3 * wave);
  }
}

struct TransformerCase {
  TransformerCase(const nlohmann::json& file, const std::string& name)
      : entry(file.at("cases").at(name)),
        smoothing(file.at("smoothing")),
        pad(file.at("pad")),
        model(options_of(entry.at("options"))) {
    fill(model, entry.at("parameters"));
  }

  struct Result {
    nn::Memory memory;
    torch::Tensor hidden, log_probs;
    nn::LossResult loss;
  };

  Result run() {
    Result result;
    result.memory = model->encode(source, src_mask);
    result.hidden = model->decode(result.memory, tgt_in, tgt_mask);
    const torch::Tensor logits = model->generator->logits(result.hidden);
    result.log_probs = model->generator(result.hidden);
    result.loss = nn::label_smoothed_loss(logits.flatten(0, 1), targets, smoothing, pad);
    return result;
  }

  void expect_equal(const std::string& name, const torch::Tensor& got) const {
    EXPECT_LE(distance(got, stored(entry.at("tensors").at(name)), 1e-5), 1) << name;
  }
  void expect_names() const {
    std::vector<std::string> names = model->named_parameters().keys();
    for (const auto& buffer : model->named_buffers()) names.push_back(buffer.key());
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, entry.at("state_dict").get<std::vector<std::string>>());
  }
  void expect_outputs() {
    const Result result = run();
    expect_equal("memory", result.memory.states);
    expect_equal("hidden", result.hidden);
    expect_equal("log_probs", result.log_probs);
    expect_equal("loss", result.loss.loss);
    expect_equal("nll", result.loss.nll);
    EXPECT_TRUE(torch::equal(model->forward(source, tgt_in, src_mask, tgt_mask), result.hidden));
  }
  void expect_gradients() {
    run().loss.loss.backward();
    const auto parameters = model->named_parameters();
    for (const auto& [name, gradient] : entry.at("gradients").items()) {
      const torch::Tensor found = parameters[name].grad();  // undefined for an expert that no token has taken
      EXPECT_LE(distance(found.defined() ? found : torch::zeros_like(parameters[name]), stored(gradient), 1e-4), 1)
          << name;
    }
  }

  const nlohmann::json& entry;
  const double smoothing;
  const int64_t pad;
  families::EncoderDecoder model;
  const torch::Tensor source = stored_ids(entry.at("source")), target = stored_ids(entry.at("target"));
  const torch::Tensor tgt_in = target.narrow(1, 0, target.size(1) - 1);
  const torch::Tensor targets = target.narrow(1, 1, target.size(1) - 1).flatten();
  const torch::Tensor src_mask = nn::padding_mask(source, pad), tgt_mask = nn::target_mask(tgt_in, pad);
};

inline std::vector<std::string> case_names(const nlohmann::json& file) {
  std::vector<std::string> names;
  for (const auto& item : file.at("cases").items()) names.push_back(item.key());
  return names;
}

}  // namespace ventris::test
