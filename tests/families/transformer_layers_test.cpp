#include "families/transformer_layers.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "nn/masks.h"
#include "support/changed_options.h"

namespace ventris::families {
namespace {

using torch::Tensor;

nn::TransformerOptions options() {
  return nn::TransformerOptions{
      .src_vocab = 11, .tgt_vocab = 11, .d_model = 8, .d_ff = 12, .heads = 2, .dropout = 0, .tying = nn::Tying::kNone};
}

TEST(PositionwiseFeedForward, ReluIsTheDefaultAndGeluIsExact) {
  PositionwiseFeedForward relu(options()),
      gelu(test::with(options(), &nn::TransformerOptions::activation, nn::Activation::kGelu));
  const auto x = torch::randn({2, 3, 8});
  EXPECT_TRUE(torch::equal(relu(x), relu->w_2(relu->w_1(x).clamp_min(0))));
  const auto inner = gelu->w_1(x);
  EXPECT_TRUE(torch::allclose(gelu(x), gelu->w_2(inner * (1 + torch::erf(inner / std::sqrt(2.0))) / 2), 1e-5, 1e-6));
}

TEST(PositionwiseFeedForward, SiluIsXTimesItsSigmoid) {
  PositionwiseFeedForward silu(test::with(options(), &nn::TransformerOptions::activation, nn::Activation::kSilu));
  const auto x = torch::randn({2, 3, 8});
  const auto inner = silu->w_1(x);
  EXPECT_TRUE(torch::allclose(silu(x), silu->w_2(inner * torch::sigmoid(inner)), 1e-5, 1e-6));
}

TEST(PositionwiseFeedForward, AGateMultipliesWhatTheActivationReturns) {
  auto gated = test::with(options(), &nn::TransformerOptions::gated_feed_forward, true);
  const auto x = torch::randn({2, 3, 8});
  for (const auto& [activation, activate] : std::vector<std::pair<nn::Activation, Tensor (*)(const Tensor&)>>{
           {nn::Activation::kRelu, at::relu},
           {nn::Activation::kGelu, [](const Tensor& y) { return at::gelu(y); }},
           {nn::Activation::kGeluTanh, [](const Tensor& y) { return at::gelu(y, "tanh"); }},
           {nn::Activation::kGeluSigmoid, [](const Tensor& y) { return y * torch::sigmoid(1.702 * y); }},
           {nn::Activation::kSilu, at::silu}}) {
    gated.activation = activation;
    PositionwiseFeedForward block(gated);
    EXPECT_TRUE(torch::allclose(block(x), block->w_2(activate(block->w_1(x)) * block->w_3(x)), 1e-5, 1e-6));
    EXPECT_EQ(block->named_parameters().keys().back(), "w_3.bias");
    EXPECT_EQ(block->w_3->weight.sizes(), block->w_1->weight.sizes());
  }
}

TEST(PositionwiseFeedForward, DropsOutTheProductOfAGate) {
  torch::manual_seed(1);
  auto settings = test::with(options(), &nn::TransformerOptions::gated_feed_forward, true);
  settings.activation_dropout = 0.5;
  PositionwiseFeedForward block(settings);
  const torch::NoGradGuard no_grad;
  block->w_1->weight.zero_();
  block->w_1->bias.fill_(1);
  block->w_3->weight.zero_();
  block->w_3->bias.fill_(3);
  block->w_2->weight.zero_();
  block->w_2->bias.zero_();
  block->w_2->weight.narrow(1, 0, 8).copy_(torch::eye(8));
  const auto found = block(torch::randn({50, 8}));
  EXPECT_TRUE(found.eq(0).logical_or(found.eq(6)).all().item<bool>()) << "dropped or doubled";
  EXPECT_TRUE(found.eq(0).any().item<bool>());
}

TEST(PositionwiseFeedForward, TreatsEveryPositionAlike) {
  PositionwiseFeedForward feed_forward(options());
  const auto x = torch::randn({1, 3, 8});
  EXPECT_TRUE(torch::allclose(feed_forward(x).narrow(1, 2, 1), feed_forward(x.narrow(1, 2, 1))));
}

TEST(SublayerConnection, NormalizesBeforeOrAfter) {
  SublayerConnection pre(options()), post(test::with(options(), &nn::TransformerOptions::norm, nn::NormPlace::kPost));
  const auto x = torch::randn({2, 3, 8});
  const auto twice = [](const Tensor& y) { return y * 2; };
  EXPECT_TRUE(torch::allclose(pre->forward(x, twice), x + 2 * pre->norm(x)));
  EXPECT_TRUE(torch::allclose(post->forward(x, twice), post->norm(3 * x)));
}

TEST(SublayerConnection, DropsOutOnlyTheBlocksResult) {
  torch::manual_seed(1);
  SublayerConnection connection(test::with(options(), &nn::TransformerOptions::dropout, 0.5));
  const auto x = torch::randn({20, 8});
  const auto added = connection->forward(x, [](const Tensor& y) { return torch::ones_like(y); }) - x;
  EXPECT_TRUE(added.lt(1e-5).logical_or(added.sub(2).abs().lt(1e-5)).all().item<bool>());  // dropped or doubled
  EXPECT_TRUE(added.lt(1e-5).any().item<bool>());
}

TEST(DecoderLayer, FutureTokensChangeNothing) {
  torch::manual_seed(1);
  DecoderLayer layer(options());
  const auto memory = torch::randn({1, 4, 8});
  const auto x = torch::randn({1, 5, 8});
  const auto before = layer(x, memory, Tensor(), nn::subsequent_mask(5));
  auto changed = x.clone();
  changed.narrow(1, 3, 2).normal_();
  const auto after = layer(changed, memory, Tensor(), nn::subsequent_mask(5));
  EXPECT_TRUE(torch::allclose(before.narrow(1, 0, 3), after.narrow(1, 0, 3)));
  EXPECT_FALSE(torch::allclose(before.narrow(1, 3, 2), after.narrow(1, 3, 2)));
}

TEST(EncoderLayer, HasTheReferencesNames) {
  const EncoderLayer layer(options());
  const auto names = layer->named_parameters().keys();
  EXPECT_EQ(names.front(), "self_attn.linears.0.weight");
  EXPECT_EQ(names.back(), "sublayer.1.norm.bias");
  EXPECT_EQ(names.size(), 16U);
}

TEST(EncoderLayer, PrintsTheOptionsOfItsParts) {
  std::ostringstream text;
  text << EncoderLayer(options());
  EXPECT_NE(text.str().find("PositionwiseFeedForward(activation=relu)"), std::string::npos) << text.str();
  EXPECT_NE(text.str().find("SublayerConnection(norm=pre)"), std::string::npos) << text.str();
  std::ostringstream gated;
  gated << EncoderLayer(test::with(options(), &nn::TransformerOptions::gated_feed_forward, true));
  EXPECT_NE(gated.str().find("PositionwiseFeedForward(activation=relu, gated)"), std::string::npos) << gated.str();
}

/// The parameters that the settings promise, in their order.
TEST(EncoderLayer, WithGatesAndRmsNormHasTheParametersOfTheSettings) {
  auto settings = test::with(options(), &nn::TransformerOptions::gated_feed_forward, true);
  settings.norm_kind = nn::NormKind::kRms;
  settings.encoder_layers = 1;
  std::vector<std::string> expected;
  const std::string prefix = "encoder.layers.0.";
  architecture::each_transformer_tensor(settings, 8, [&](const std::string& name, const std::vector<int64_t>&) {
    if (name.starts_with(prefix)) expected.push_back(name.substr(prefix.size()));
  });
  EXPECT_EQ(EncoderLayer(settings)->named_parameters().keys(), expected);
}

}  // namespace
}  // namespace ventris::families
