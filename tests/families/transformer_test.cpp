#include "families/transformer.h"

#include <ATen/CPUGeneratorImpl.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/special_ids.h"
#include "families/small_transformer.h"
#include "nn/masks.h"
#include "nn/module_parameters.h"
#include "nn/random_scope.h"
#include "support/changed_options.h"

namespace ventris::families {
namespace {

using torch::Tensor;
constexpr int64_t kPad = 0;

Tensor run(EncoderDecoder& model, const Tensor& source, const Tensor& target) {
  return model->forward(source, target, nn::padding_mask(source, kPad), nn::target_mask(target, kPad));
}

class EncoderDecoderOfEitherNorm : public testing::TestWithParam<nn::NormPlace> {
 protected:
  EncoderDecoder model = small_model(test::with(small_options(), &nn::TransformerOptions::norm, GetParam()));
};

TEST_P(EncoderDecoderOfEitherNorm, FutureTokensChangeNothing) {
  const auto source = torch::tensor({{3, 4, 5, 6}});
  const auto before = run(model, source, torch::tensor({{1, 7, 8, 9}}));
  const auto after = run(model, source, torch::tensor({{1, 7, 10, 11}}));
  EXPECT_TRUE(torch::allclose(before.narrow(1, 0, 2), after.narrow(1, 0, 2), 1e-5, 1e-6));
  EXPECT_FALSE(torch::allclose(before.narrow(1, 2, 2), after.narrow(1, 2, 2), 1e-5, 1e-6));
}

TEST_P(EncoderDecoderOfEitherNorm, PaddingChangesNothing) {
  const auto before = run(model, torch::tensor({{3, 4, 5}}), torch::tensor({{1, 7}}));
  const auto after = run(model, torch::tensor({{3, 4, 5, 0, 0}}), torch::tensor({{1, 7, 0}}));
  EXPECT_TRUE(torch::allclose(before, after.narrow(1, 0, 2), 1e-5, 1e-6));
}

TEST_P(EncoderDecoderOfEitherNorm, NeighboursInTheBatchChangeNothing) {
  const auto alone = run(model, torch::tensor({{3, 4, 5}}), torch::tensor({{1, 7}}));
  const auto together = run(model, torch::tensor({{9, 8, 7}, {3, 4, 5}}), torch::tensor({{1, 2}, {1, 7}}));
  EXPECT_TRUE(torch::allclose(alone[0], together[1], 1e-5, 1e-6));
}

TEST_P(EncoderDecoderOfEitherNorm, EveryPlaceOfTheSourceMatters) {
  const auto before = run(model, torch::tensor({{3, 4, 5}}), torch::tensor({{1, 7}}));
  for (const auto& source : {torch::tensor({{6, 4, 5}}), torch::tensor({{3, 4, 6}}), torch::tensor({{4, 3, 5}})}) {
    EXPECT_FALSE(torch::allclose(before, run(model, source, torch::tensor({{1, 7}})), 1e-4, 1e-5));
  }
}

INSTANTIATE_TEST_SUITE_P(Norms, EncoderDecoderOfEitherNorm, testing::Values(nn::NormPlace::kPre, nn::NormPlace::kPost),
                         [](const auto& norm) { return norm.param == nn::NormPlace::kPre ? "Pre" : "Post"; });

TEST(EncoderDecoder, AnEmptySourceGivesFiniteNumbersAndGradients) {
  auto model = small_model();
  const auto hidden = run(model, torch::tensor({{0, 0}}), torch::tensor({{1, 7}}));  // padding only
  hidden.pow(2).sum().backward();
  EXPECT_TRUE(hidden.isfinite().all().item<bool>());
  for (const auto& item : model->named_parameters()) {
    const Tensor gradient = item.value().grad();  // undefined: unused
    EXPECT_TRUE(!gradient.defined() || gradient.isfinite().all().item<bool>()) << item.key();
  }
}

TEST(EncoderDecoder, OnlyPreNormEndsWithANorm) {
  EXPECT_TRUE(small_model()->named_parameters().contains("decoder.norm.weight"));
  EXPECT_FALSE(small_model(test::with(small_options(), &nn::TransformerOptions::norm, nn::NormPlace::kPost))
                   ->named_parameters()
                   .contains("decoder.norm.weight"));
}

TEST(EncoderDecoder, DropoutIsReproducibleInARandomScope) {
  auto model = small_model(test::with(small_options(), &nn::TransformerOptions::dropout, 0.3));
  model->train();
  const auto with_seed = [&](uint64_t seed) {
    const nn::RandomScope scope(at::detail::createCPUGenerator(seed));
    return run(model, torch::tensor({{3, 4, 5}}), torch::tensor({{1, 7}}));
  };
  EXPECT_TRUE(torch::equal(with_seed(5), with_seed(5)));
  EXPECT_FALSE(torch::allclose(with_seed(5), with_seed(6)));
}

TEST(EncoderDecoder, RefusesTyingTwoVocabularies) {
  EXPECT_THROW(EncoderDecoder(nn::TransformerOptions{.src_vocab = 11, .tgt_vocab = 12, .tying = nn::Tying::kAll}),
               std::invalid_argument);
}

TEST(Generator, GivesLogProbabilities) {
  nn::Generator generator(16, 13);
  const auto x = torch::randn({2, 3, 16});
  EXPECT_TRUE(torch::allclose(generator(x).exp().sum(-1), torch::ones({2, 3})));
  EXPECT_TRUE(torch::allclose(generator(x), generator->logits(x).log_softmax(-1)));
}

TEST(Tying, SharesStorageUnderBothNames) {
  const auto same = [](const EncoderDecoder& model, const std::string& a, const std::string& b) {
    return model->named_parameters()[a].is_same(model->named_parameters()[b]);
  };
  const std::string source = "src_embed.0.lut.weight", target = "tgt_embed.0.lut.weight",
                    output = "generator.proj.weight";
  const auto none = small_model(),
             decoder = small_model(test::with(small_options(), &nn::TransformerOptions::tying, nn::Tying::kDecoder)),
             all = small_model(test::with(small_options(), &nn::TransformerOptions::tying, nn::Tying::kAll));
  EXPECT_FALSE(same(none, target, output));
  EXPECT_TRUE(same(decoder, target, output));
  EXPECT_FALSE(same(decoder, source, target));
  EXPECT_TRUE(same(all, source, target));
  EXPECT_TRUE(same(all, source, output));
  EXPECT_EQ(nn::distinct_parameters(*all).size() + 2, nn::distinct_parameters(*none).size());
}

TEST(Tying, AddsTheGradientsOfAllUses) {
  auto tied = small_model(test::with(small_options(), &nn::TransformerOptions::tying, nn::Tying::kAll)),
       apart = small_model();
  {
    const torch::NoGradGuard no_grad;
    const auto from = tied->named_parameters();
    for (auto& item : apart->named_parameters()) item.value().copy_(from[item.key()]);
  }
  const auto source = torch::tensor({{3, 4, 5}}), target = torch::tensor({{1, 7}});
  tied->generator(run(tied, source, target)).select(2, 6).sum().backward();
  apart->generator(run(apart, source, target)).select(2, 6).sum().backward();
  const auto parts = apart->named_parameters();
  const auto sum = parts["src_embed.0.lut.weight"].grad() + parts["tgt_embed.0.lut.weight"].grad() +
                   parts["generator.proj.weight"].grad();
  EXPECT_TRUE(torch::allclose(tied->generator->proj->weight.grad(), sum, 1e-4, 1e-6));
}

TEST(ZeroStart, TheVectorOfBosIsZeroAndGetsNoGradient) {
  nn::TransformerOptions options = test::with(small_options(), &nn::TransformerOptions::zero_start, true);
  for (const nn::Tying tying : {nn::Tying::kNone, nn::Tying::kAll}) {
    options.tying = tying;
    auto model = make_model(options);
    const Tensor table = model->named_parameters()["tgt_embed.0.lut.weight"];
    const int64_t bos = core::SpecialIds{}.bos;
    EXPECT_EQ(table[bos].abs().sum().item<float>(), 0);
    EXPECT_NE(table[bos + 1].abs().sum().item<float>(), 0);
    const auto target = torch::tensor({{bos, int64_t{7}}});
    model->generator(run(model, torch::tensor({{3, 4, 5}}), target)).select(2, 6).sum().backward();
    EXPECT_EQ(table.grad()[bos].abs().sum().item<float>(), 0);
    EXPECT_NE(table.grad()[7].abs().sum().item<float>(), 0);
  }
}

TEST(MakeModel, DrawsMatricesWithinTheBoundOfXavier) {
  auto model = small_model(test::with(test::with(small_options(), &nn::TransformerOptions::d_model, 64),
                                      &nn::TransformerOptions::d_ff, 128));
  for (const auto& item : model->named_parameters()) {
    const Tensor& weight = item.value();
    if (weight.dim() != 2) continue;
    const double bound = std::sqrt(6.0 / static_cast<double>(weight.size(0) + weight.size(1)));
    EXPECT_LE(weight.abs().max().item<double>(), bound) << item.key();
    EXPECT_NEAR(weight.std().item<double>(), bound / std::sqrt(3.0), 0.1 * bound) << item.key();
  }
}

TEST(MakeModel, BeginsWithNeutralNorms) {
  const auto parameters = small_model()->named_parameters();
  EXPECT_TRUE(parameters["encoder.layers.0.sublayer.0.norm.weight"].eq(1).all().item<bool>());
  EXPECT_TRUE(parameters["encoder.layers.0.sublayer.0.norm.bias"].eq(0).all().item<bool>());
}

TEST(Memory, HoldsTheOutputOfEveryLayerAndTheStatesThatTheDecoderReads) {
  for (const nn::NormPlace norm : {nn::NormPlace::kPre, nn::NormPlace::kPost}) {
    auto model = small_model(test::with(small_options(), &nn::TransformerOptions::norm, norm));
    const torch::NoGradGuard no_grad;
    const auto src = torch::tensor({{5, 6, 3}}), mask = nn::padding_mask(src, 0);
    const nn::Memory memory = model->encode(src, mask);
    ASSERT_EQ(memory.layers.size(), 2U);
    const Tensor& last = memory.layers.back();
    EXPECT_TRUE(torch::equal(memory.states, norm == nn::NormPlace::kPre ? model->encoder->norm(last) : last));
    EXPECT_TRUE(torch::equal(memory.mask, mask));
  }
}

TEST(Memory, HoldsWhatEachDecoderLayerSees) {
  nn::TransformerOptions options = small_options();
  options.encoder_layers = 3;
  const auto src = torch::tensor({{5, 6, 3}}), mask = nn::padding_mask(src, 0);
  const torch::NoGradGuard no_grad;
  for (const nn::NormPlace norm : {nn::NormPlace::kPre, nn::NormPlace::kPost}) {
    options.norm = norm;
    const auto outputs_of = [&](EncoderDecoder& model, const nn::Memory& memory) {
      std::vector<Tensor> outputs;
      for (const Tensor& layer : memory.layers)
        outputs.push_back(norm == nn::NormPlace::kPre ? model->encoder->norm(layer) : layer);
      return torch::stack(outputs);
    };
    auto mean = small_model(test::with(options, &nn::TransformerOptions::cross_attention, nn::CrossAttention::kMean));
    const nn::Memory of_mean = mean->encode(src, mask);
    EXPECT_TRUE(torch::allclose(of_mean.states, outputs_of(mean, of_mean).mean(0), 1e-5, 1e-6));
    auto layerwise =
        small_model(test::with(options, &nn::TransformerOptions::cross_attention, nn::CrossAttention::kLayerwise));
    const nn::Memory seen = layerwise->encode(src, mask);
    const Tensor outputs = outputs_of(layerwise, seen);
    EXPECT_TRUE(torch::allclose(seen.states, torch::cat({outputs[1], outputs[2]}, 2)));  // layers 2 and 3 of 3
    EXPECT_TRUE(torch::allclose(layerwise->decoder->memory_of(0, seen.states), outputs[1]));
    auto weighted =
        small_model(test::with(options, &nn::TransformerOptions::cross_attention, nn::CrossAttention::kWeighted));
    weighted->decoder->layer(1).src_mixture.copy_(torch::tensor({100.0, 0.0, 0.0}));
    const nn::Memory mixed = weighted->encode(src, mask);
    const Tensor parts = outputs_of(weighted, mixed);
    EXPECT_TRUE(torch::allclose(mixed.states, torch::cat({parts.mean(0), parts[0]}, 2), 1e-5, 1e-6));  // at first: mean
  }
}

TEST(RotaryPositions, AreThoseOfSelfAttentionOfBothSidesAndNotOfAttentionToTheSource) {
  auto model = small_model(rotary_options());
  const auto buffers = model->named_buffers();
  EXPECT_EQ(buffers.size(), 4U);  // one in each layer
  EXPECT_TRUE(buffers.contains("encoder.layers.1.self_attn.rotation"));
  EXPECT_TRUE(buffers.contains("decoder.layers.0.self_attn.rotation"));
  const auto ids = torch::tensor({{5, 5}});
  const auto x = model->src_embed->forward(ids);
  EXPECT_TRUE(torch::equal(x[0][0], x[0][1])) << "embeddings have no positions";
  const auto one = run(model, torch::tensor({{5, 6, 3}}), torch::tensor({{1, 7}}));
  EXPECT_FALSE(torch::allclose(one, run(model, torch::tensor({{6, 5, 3}}), torch::tensor({{1, 7}})), 1e-4, 1e-5));
  EXPECT_THROW(model->src_embed->forward(torch::ones({1, 31}, torch::kLong)), std::invalid_argument);
}

TEST(RotaryPositions, PaddingAndFutureTokensChangeNothing) {
  auto model = small_model(rotary_options());
  const auto before = run(model, torch::tensor({{3, 4, 5}}), torch::tensor({{1, 7}}));
  const auto padded = run(model, torch::tensor({{3, 4, 5, 0, 0}}), torch::tensor({{1, 7, 0}}));
  const auto longer = run(model, torch::tensor({{3, 4, 5}}), torch::tensor({{1, 7, 9}}));
  EXPECT_TRUE(torch::allclose(before, padded.narrow(1, 0, 2), 1e-5, 1e-6));
  EXPECT_TRUE(torch::allclose(before, longer.narrow(1, 0, 2), 1e-5, 1e-6));
}

TEST(RelativeBiasOfModels, IsOneTableOfEachSideThatAllItsLayersUse) {
  auto model = small_model(relative_bias_options());
  const auto parameters = model->named_parameters();
  EXPECT_EQ(parameters["encoder.relative_bias.weight"].sizes(), (std::vector<int64_t>{8, 4}));
  EXPECT_EQ(parameters["decoder.relative_bias.weight"].sizes(), (std::vector<int64_t>{8, 4}));
  std::vector<std::string> expected;
  architecture::each_transformer_tensor(relative_bias_options(), 30,
                                        [&](const std::string& name, const auto&) { expected.push_back(name); });
  EXPECT_EQ(parameters.keys(), expected);
  run(model, torch::tensor({{5, 6, 3}}), torch::tensor({{1, 7, 8}})).sum().backward();
  for (const char* side : {"encoder", "decoder"}) {
    EXPECT_GT(parameters[std::string(side) + ".relative_bias.weight"].grad().abs().sum().item<double>(), 0) << side;
  }
  const auto one = run(model, torch::tensor({{5, 6, 3}}), torch::tensor({{1, 7}}));
  EXPECT_FALSE(torch::allclose(one, run(model, torch::tensor({{6, 5, 3}}), torch::tensor({{1, 7}})), 1e-4, 1e-5));
  EXPECT_THROW(model->src_embed->forward(torch::ones({1, 31}, torch::kLong)), std::invalid_argument);
}

TEST(RelativeBiasOfModels, PaddingAndFutureTokensChangeNothing) {
  auto model = small_model(relative_bias_options());
  const auto before = run(model, torch::tensor({{3, 4, 5}}), torch::tensor({{1, 7}}));
  const auto padded = run(model, torch::tensor({{3, 4, 5, 0, 0}}), torch::tensor({{1, 7, 0}}));
  const auto longer = run(model, torch::tensor({{3, 4, 5}}), torch::tensor({{1, 7, 9}}));
  EXPECT_TRUE(torch::allclose(before, padded.narrow(1, 0, 2), 1e-5, 1e-6));
  EXPECT_TRUE(torch::allclose(before, longer.narrow(1, 0, 2), 1e-5, 1e-6));
}

TEST(MakeModel, DrawsGatesLikeOtherMatricesAndHasTheParametersOfTheSettings) {
  auto model = small_model(rotary_options());
  const auto parameters = model->named_parameters();
  std::vector<std::string> expected;
  architecture::each_transformer_tensor(rotary_options(), 30, [&](const std::string& name, const auto& shape) {
    expected.push_back(name);
    EXPECT_EQ(parameters[name].sizes().vec(), shape) << name;
  });
  EXPECT_EQ(parameters.keys(), expected);
  const Tensor gate = parameters["encoder.layers.0.feed_forward.w_3.weight"];
  const double bound = std::sqrt(6.0 / (16 + 24));
  EXPECT_LE(gate.abs().max().item<double>(), bound);
  EXPECT_NEAR(gate.std().item<double>(), bound / std::sqrt(3.0), 0.1 * bound);
  EXPECT_TRUE(parameters["decoder.norm.weight"].eq(1).all().item<bool>());
}

TEST(EmbeddingNorm, StandsBeforeDropoutAndForBothSides) {
  auto model = small_model(test::with(small_options(), &nn::TransformerOptions::embedding_norm, true));
  EXPECT_TRUE(model->named_parameters().contains("src_embed.1.norm.weight"));
  EXPECT_TRUE(model->named_parameters().contains("tgt_embed.1.norm.bias"));
  const auto x = model->src_embed->forward(torch::tensor({{5, 6, 3}}));
  EXPECT_TRUE(torch::allclose(x.mean(-1), torch::zeros({1, 3}), 1e-5, 1e-5));
  EXPECT_TRUE(torch::allclose(x.var(-1, /*unbiased=*/false), torch::ones({1, 3}), 1e-3, 1e-3));
}

TEST(MakeModel, TheSeedDecidesEveryWeight) {
  const auto one = small_model()->named_parameters(), two = small_model()->named_parameters();
  for (const auto& item : one) EXPECT_TRUE(torch::equal(item.value(), two[item.key()])) << item.key();
  const auto other = make_model(small_options());  // continues the generator: another model
  EXPECT_FALSE(torch::equal(other->generator->proj->weight, one["generator.proj.weight"]));
}

TEST(MakeModel, HasTheDefaultsOfTheBaseModel) {
  const nn::TransformerOptions options;
  EXPECT_EQ(options.encoder_layers, 6);
  EXPECT_EQ(options.decoder_layers, 6);
  EXPECT_EQ(options.d_model, 512);
  EXPECT_EQ(options.d_ff, 2048);
  EXPECT_EQ(options.heads, 8);
  EXPECT_EQ(options.dropout, 0.1);
  EXPECT_EQ(options.max_positions, 1024);
}

}  // namespace
}  // namespace ventris::families
