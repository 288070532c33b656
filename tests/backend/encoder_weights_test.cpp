#include "backend/encoder_weights.h"

#include <gtest/gtest.h>

#include "backend/module_weights.h"
#include "core/error.h"
#include "families/bert_classifier.h"
#include "families/transformer.h"
#include "nn/masks.h"
#include "support/errors.h"

namespace ventris::backend {
namespace {

using torch::Tensor;

constexpr int64_t kVocab = 19, kPositions = 12;

/// In eval mode, with weights as large as those of a trained one.
families::BertForPreTraining some_bert() {
  torch::manual_seed(3);
  families::BertForPreTraining bert(families::BertOptions{
      .vocab = kVocab, .layers = 3, .d_model = 8, .d_ff = 20, .heads = 2, .max_positions = kPositions});
  const torch::NoGradGuard no_grad;
  for (auto& item : bert->named_parameters()) item.value().normal_(0, 0.3);
  bert->eval();
  return bert;
}

families::EncoderDecoder fitting_model(int64_t d_ff = 20) {
  auto model = families::make_model(nn::TransformerOptions{.src_vocab = kVocab,
                                                           .tgt_vocab = 23,
                                                           .encoder_layers = 3,
                                                           .decoder_layers = 1,
                                                           .d_model = 8,
                                                           .d_ff = d_ff,
                                                           .heads = 2,
                                                           .norm = nn::NormPlace::kPost,
                                                           .activation = nn::Activation::kGelu,
                                                           .positions = nn::Positions::kLearned,
                                                           .max_positions = kPositions - 1,
                                                           .tying = nn::Tying::kDecoder,
                                                           .embedding_norm = true,
                                                           .norm_epsilon = 1e-12});
  model->eval();
  return model;
}

model::Safetensors weights_of(const torch::nn::Module& module) {
  return model::Safetensors::parse(save_weights(module), "bert");
}

TEST(EncoderWeights, TheEncoderComputesTheStatesOfABertWithoutCls) {
  auto bert = some_bert();
  auto model = fitting_model();
  load_encoder(*model, weights_of(*bert));
  const Tensor ids = torch::tensor({{2, 5, 9, 16, 3, 0}, {2, 7, 4, 8, 12, 3}});  // [CLS] pieces [SEP] padding
  Tensor mask = nn::padding_mask(ids, 0);
  mask.select(2, 0).fill_(false);  // no token looks at [CLS]
  const auto expected = bert->encode(ids, torch::zeros_like(ids), mask).layers;
  const Tensor source = ids.narrow(1, 1, 5);
  const auto memory = model->encode(source, nn::padding_mask(source, 0));
  const Tensor visible = source.ne(0).unsqueeze(2).to(torch::kFloat);
  for (size_t i = 0; i < memory.layers.size(); ++i) {
    const Tensor wanted = expected[i + 1].narrow(1, 1, 5);
    EXPECT_LT(((memory.layers[i] - wanted) * visible).abs().max().item<float>(), 1e-5) << "layer " << i;
  }
  EXPECT_TRUE(torch::equal(memory.states, memory.layers.back()));
}

TEST(EncoderWeights, NothingButTheEncoderChanges) {
  auto model = fitting_model();
  torch::OrderedDict<std::string, Tensor> before;
  for (const auto& item : model->named_parameters()) before.insert(item.key(), item.value().clone());
  load_encoder(*model, weights_of(*some_bert()));
  for (const auto& item : model->named_parameters()) {
    const bool of_encoder = item.key().starts_with("encoder.") || item.key().starts_with("src_embed.");
    EXPECT_NE(torch::equal(item.value(), before[item.key()]), of_encoder) << item.key();
  }
}

TEST(EncoderWeights, AClassifierTakesTheEncoderWithItsPoolerAndKeepsItsLastLayer) {
  auto bert = some_bert();
  families::BertForSequenceClassification model(bert->options, 3);
  const Tensor before = model->classifier->weight.clone();
  load_encoder(*model, weights_of(*bert));
  const auto taken = model->named_parameters(), given = bert->named_parameters();
  for (const auto& item : taken) {
    if (item.key().starts_with("classifier.")) continue;
    EXPECT_TRUE(torch::equal(item.value(), given[item.key()])) << item.key();
  }
  EXPECT_TRUE(torch::equal(model->classifier->weight, before));
}

TEST(EncoderWeights, AnotherShapeIsRefused) {
  auto model = fitting_model(/*d_ff=*/24);
  EXPECT_FAILS(load_encoder(*model, weights_of(*some_bert())), ModelError,
               "bert: bert.encoder.layer.0.intermediate.dense.weight: expected shape [24, 8], found [20, 8]");
}

}  // namespace
}  // namespace ventris::backend
