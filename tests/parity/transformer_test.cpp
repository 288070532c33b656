// Our Transformer against the one of make_transformer_expected.py, which wrote transformer_expected.json.
#include "families/transformer.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "nn/attention_watch.h"
#include "nn/module_parameters.h"
#include "parity/transformer_case.h"
#include "training/translation_objective.h"

namespace ventris::nn {
namespace {

using families::DecoderLayerImpl;
using families::EncoderLayerImpl;
using torch::Tensor;

const nlohmann::json& transformer_cases() {
  static const nlohmann::json file = test::expected_file("transformer_expected.json");
  return file;
}

class TransformerParity : public testing::TestWithParam<std::string>, protected test::TransformerCase {
 protected:
  TransformerParity() : TransformerCase(transformer_cases(), GetParam()) {}
};

TEST_P(TransformerParity, NamesAreTheReferences) {
  expect_names();
  EXPECT_EQ(distinct_parameters(*model).size(), entry.at("parameters").size());
}

TEST_P(TransformerParity, OutputsAgree) { expect_outputs(); }

/// Of self-attention of x, with the terms of distances if its side has them.
Tensor self_weights(attention::MultiHeadAttentionImpl& block, attention::RelativeBias bias, const Tensor& x,
                    const Tensor& mask) {
  const nn::AttentionWatch watch({&block});
  block.attend_to_self(x, mask, bias.is_empty() ? Tensor() : bias(x.size(1)));
  return watch.kept(0);
}

TEST_P(TransformerParity, AttentionWeightsAgree) {
  const Tensor x = model->src_embed->forward(source), y = model->tgt_embed->forward(tgt_in);
  const Tensor memory = model->encode(source, src_mask).states;
  auto& encoder_layer = *model->encoder->layers->ptr<EncoderLayerImpl>(0);
  auto& decoder_layer = *model->decoder->layers->ptr<DecoderLayerImpl>(0);
  expect_equal("encoder_weights", self_weights(*encoder_layer.self_attn, model->encoder->relative_bias, x, src_mask));
  if (!decoder_layer.self_attn.is_empty()) {
    expect_equal("decoder_weights", self_weights(*decoder_layer.self_attn, model->decoder->relative_bias, y, tgt_mask));
  }
  expect_equal("source_weights", decoder_layer.src_attn->forward_with_weights(y, memory, memory, src_mask).second);
}

TEST_P(TransformerParity, EveryGradientAgrees) { expect_gradients(); }

TEST_P(TransformerParity, TenStepsOfAdamAgree) {
  torch::optim::AdamOptions options(transformer_cases().at("learning_rate").get<double>());
  torch::optim::Adam optimizer(distinct_parameters(*model), options.betas({0.9, 0.98}).eps(1e-9));
  for (const double wanted : entry.at("losses").get<std::vector<double>>()) {
    optimizer.zero_grad();
    const Tensor mean = run().loss.loss / targets.ne(pad).sum();
    mean.backward();
    optimizer.step();
    EXPECT_NEAR(mean.item<double>(), wanted, 1e-4 * wanted);
  }
}

/// The sentences of a case.
data::Batch batch_of(const Tensor& source, const Tensor& tgt_in, const Tensor& targets) {
  const auto ids = [](const Tensor& tensor) {
    const Tensor flat = tensor.contiguous().flatten().to(torch::kInt);
    return std::vector<int32_t>(flat.data_ptr<int32_t>(), flat.data_ptr<int32_t>() + flat.numel());
  };
  data::Batch batch;
  batch.sentences = source.size(0);
  batch.src_len = source.size(1);
  batch.tgt_len = tgt_in.size(1);
  batch.source = ids(source);
  batch.target_in = ids(tgt_in);
  batch.target_out = ids(targets);
  batch.target_weight = static_cast<double>(batch.target_out.size()) -
                        static_cast<double>(std::ranges::count(batch.target_out, core::SpecialIds{}.pad));
  return batch;
}

TEST_P(TransformerParity, TenStepsOfScheduledSamplingAgree) {
  training::TranslationOptions how;
  how.label_smoothing = smoothing;
  how.sampling.share = 1;
  const training::TranslationObjective objective(how);
  const data::Batch batch = batch_of(source, tgt_in, targets);
  torch::optim::AdamOptions options(transformer_cases().at("learning_rate").get<double>());
  torch::optim::Adam optimizer(distinct_parameters(*model), options.betas({0.9, 0.98}).eps(1e-9));
  for (const double wanted : entry.at("sampled_losses").get<std::vector<double>>()) {
    optimizer.zero_grad();
    const Tensor mean = objective.loss(*model, batch, /*learn=*/true).loss / targets.ne(pad).sum();
    mean.backward();
    optimizer.step();
    EXPECT_NEAR(mean.item<double>(), wanted, 1e-4 * wanted);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, TransformerParity, testing::ValuesIn(test::case_names(transformer_cases())),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace ventris::nn
