#include "preparation/fewer_layers.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"
#include "support/tiny_bert.h"

namespace ventris::preparation {
namespace {

using Layers = std::vector<int64_t>;

TEST(FewerLayers, AreSpreadEvenlyFromTheFirstToTheLast) {
  EXPECT_EQ(spread_layers(4, 4), (Layers{0, 1, 2, 3}));
  EXPECT_EQ(spread_layers(4, 2), (Layers{0, 3}));
  EXPECT_EQ(spread_layers(6, 3), (Layers{0, 3, 5}));
  EXPECT_EQ(spread_layers(12, 4), (Layers{0, 4, 7, 11}));
  EXPECT_EQ(spread_layers(6, 1), Layers{0});
  EXPECT_EQ(spread_layers(1, 1), Layers{0});
  for (int64_t has = 2; has < 30; ++has) {
    for (int64_t wanted = 2; wanted <= has; ++wanted) {
      const Layers layers = spread_layers(has, wanted);
      EXPECT_EQ(layers.front(), 0);
      EXPECT_EQ(layers.back(), has - 1);
      for (size_t i = 1; i < layers.size(); ++i) EXPECT_GT(layers[i], layers[i - 1]) << has << " " << wanted;
    }
  }
}

TEST(FewerLayers, OnlyNumbersOfLayersOfTransformersAndBertsCanBeFewer) {
  EXPECT_TRUE(can_be_fewer("transformer", "decoder_layers"));
  EXPECT_TRUE(can_be_fewer("transformer-nat", "encoder_layers"));
  EXPECT_TRUE(can_be_fewer("bert-classifier", "layers"));
  EXPECT_FALSE(can_be_fewer("rnn", "encoder_layers"));
  EXPECT_FALSE(can_be_fewer("transformer", "heads"));
}

class SmallerModel : public testing::Test {
 protected:
  SmallerModel() {
    auto& shape = test::shape_of(package.config);
    shape.encoder_layers = 2;
    shape.decoder_layers = 3;
    package.path = "base";
  }
  model::Bundle base() const {
    return {package, model::Safetensors::parse(test::weights_of(*package.config.architecture), "base")};
  }
  settings::RunConfig with(int64_t encoder_layers, int64_t decoder_layers) const {
    settings::RunConfig config;
    auto shape = std::make_shared<architecture::TransformerArchitecture>(test::shape_of(package.config));
    shape->options.encoder_layers = encoder_layers;
    shape->options.decoder_layers = decoder_layers;
    config.model = shape;
    return config;
  }
  model::Package package = test::tiny_package();
};

TEST_F(SmallerModel, HasTheTensorsOfTheLayersThatItTakes) {
  const model::Bundle large = base();
  const model::Safetensors small = weights_with_layers(with(1, 2), large);
  const auto same = [&](const std::string& name, const std::string& stored) {
    EXPECT_EQ(small.at(name).bytes, large.weights.at(stored).bytes) << name;
  };
  same("encoder.layers.0.self_attn.linears.0.weight", "encoder.layers.0.self_attn.linears.0.weight");
  same("decoder.layers.0.src_attn.linears.1.bias", "decoder.layers.0.src_attn.linears.1.bias");
  same("decoder.layers.1.feed_forward.w_1.weight", "decoder.layers.2.feed_forward.w_1.weight");
  same("generator.proj.weight", "src_embed.0.lut.weight");
  EXPECT_FALSE(small.contains("decoder.layers.2.feed_forward.w_1.weight"));
  EXPECT_FALSE(small.contains("encoder.layers.1.feed_forward.w_1.weight"));
  EXPECT_EQ(layers_taken(with(1, 2), package), "encoder layers 1 of 2; decoder layers 1, 3 of 3");
}

TEST_F(SmallerModel, WithAsManyLayersAllStays) {
  EXPECT_EQ(weights_with_layers(with(2, 3), base()).tensors().size(), base().weights.tensors().size());
  EXPECT_EQ(layers_taken(with(2, 3), package), "");
}

TEST_F(SmallerModel, OtherSettingsThatDependOnTheLayersAreRefused) {
  test::shape_of(package.config).cross_attention = architecture::CrossAttention::kWeighted;
  EXPECT_FAILS(weights_with_layers(with(1, 3), base()), ConfigError,
               "model: with fewer layers than base, which the run starts from (training.finetune_from), ");
  EXPECT_FAILS(weights_with_layers(with(1, 3), base()), ConfigError, "leave encoder_layers, decoder_layers and layers");
}

TEST(FewerLayers, ABertTakesThoseOfItsEncoder) {
  model::Package package = test::tiny_bert_package();
  auto options = test::tiny_bert_options(package.config.architecture->src_vocab());
  settings::RunConfig config;
  config.model = std::make_shared<architecture::BertArchitecture>(options);
  options.layers = 3;
  package.config.architecture = std::make_shared<architecture::BertArchitecture>(options);
  const model::Bundle large{package,
                            model::Safetensors::parse(test::tiny_bert_weights(*package.config.architecture), "base")};
  EXPECT_TRUE(weights_with_layers(config, large).contains("bert.encoder.layer.0.output.dense.bias"));
  EXPECT_FALSE(weights_with_layers(config, large).contains("bert.encoder.layer.1.output.dense.bias"));
  EXPECT_EQ(layers_taken(config, package), "layers 1 of 3");
}

}  // namespace
}  // namespace ventris::preparation
