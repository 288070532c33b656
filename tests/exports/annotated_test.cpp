#include "exports/annotated.h"
#include "architecture/sinusoids.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.h"
#include "model/floats.h"
#include "support/errors.h"
#include "support/tiny_bundle.h"

namespace ventris::exports {
namespace {

class Annotated : public testing::Test {
 protected:
  Annotated() { bundle.package.path = "model"; }
  architecture::TransformerOptions& options() { return test::shape_of(bundle.package.config); }
  void use(const std::string& weights) { bundle.weights = model::Safetensors::parse(weights, "weights"); }
  /// The weights of a model that ties none, with these settings.
  void use_untied() {
    options().tying = architecture::Tying::kNone;
    test::TensorList list;
    bundle.package.config.architecture->each_tensor(
        [&](const std::string& name, const std::vector<int64_t>& shape) { list.add(name, shape); });
    use(model::write_safetensors(list.views(), {}));
  }
  std::vector<float> stored(const std::string& name) const {
    return model::floats_of(bundle.weights, bundle.weights.at(name));
  }
  const NamedTensor& at(const std::string& name) {
    tensors = annotated_transformer(bundle);
    const auto found = std::ranges::find(tensors, name, &NamedTensor::name);
    if (found == tensors.end()) throw std::out_of_range(name);
    return *found;
  }

  model::Bundle bundle{test::tiny_package(), {}};
  std::vector<NamedTensor> tensors;
};

TEST_F(Annotated, HasTheNamesOfTheCode) {
  use_untied();
  std::set<std::string> names;
  for (const NamedTensor& tensor : annotated_transformer(bundle)) names.insert(tensor.name);
  for (const char* name :
       {"encoder.layers.0.self_attn.linears.0.weight", "encoder.layers.0.sublayer.1.norm.a_2", "encoder.norm.b_2",
        "decoder.layers.0.src_attn.linears.3.bias", "decoder.layers.0.feed_forward.w_1.weight",
        "decoder.layers.0.sublayer.2.norm.b_2", "src_embed.0.lut.weight", "tgt_embed.1.pe", "generator.proj.bias"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
  for (const std::string& name : names) EXPECT_FALSE(name.ends_with("norm.weight")) << name;
}

TEST_F(Annotated, TheWeightOfANormMakesUpForTheUnbiasedDeviation) {
  use_untied();
  const std::vector<float> before = stored("decoder.norm.weight"), after = *at("decoder.norm.a_2").values;
  for (size_t i = 0; i < before.size(); ++i) EXPECT_FLOAT_EQ(after[i], before[i] * std::sqrt(4.0F / 3.0F));
  EXPECT_EQ(*at("decoder.norm.b_2").values, stored("decoder.norm.bias"));
}

TEST_F(Annotated, TiedTensorsShareTheirValues) {
  use(test::tiny_weights(options().src_vocab));
  const auto source = at("src_embed.0.lut.weight").values;
  const auto all = annotated_transformer(bundle);
  const auto values = [&](const std::string& name) { return std::ranges::find(all, name, &NamedTensor::name)->values; };
  EXPECT_EQ(values("src_embed.0.lut.weight"), values("generator.proj.weight"));
  EXPECT_EQ(values("src_embed.0.lut.weight"), values("tgt_embed.0.lut.weight"));
  EXPECT_EQ(values("src_embed.1.pe"), values("tgt_embed.1.pe"));
  EXPECT_EQ(*source, stored("src_embed.0.lut.weight"));
}

TEST_F(Annotated, PositionsAreThoseOfTheCodeOrTheLearnedOnes) {
  use_untied();
  EXPECT_EQ(at("src_embed.1.pe").shape, (std::vector<int64_t>{1, 5000, 4}));
  EXPECT_EQ(*at("src_embed.1.pe").values, architecture::sinusoid_table(5000, 4));
  options().positions = architecture::Positions::kHalvedSinusoidal;
  EXPECT_EQ(*at("src_embed.1.pe").values, architecture::sinusoid_table(5000, 4, architecture::halved_sinusoids));
  options().positions = architecture::Positions::kLearned;
  use_untied();
  EXPECT_EQ(at("tgt_embed.1.pe").shape, (std::vector<int64_t>{1, 16, 4}));
  EXPECT_EQ(*at("tgt_embed.1.pe").values, stored("tgt_embed.1.pe"));
}

TEST_F(Annotated, MissingBiasesAreZero) {
  options().attention_bias = false;
  use_untied();
  EXPECT_EQ(*at("encoder.layers.0.self_attn.linears.2.bias").values, std::vector<float>(4));
}

TEST_F(Annotated, WhatTheCodeCannotComputeIsRefusedByName) {
  const auto refused = [&](const std::string& text) {
    EXPECT_FAILS(annotated_transformer(bundle), ModelError, "model/config.json: model." + text);
    bundle.package.config = test::tiny_package().config;
  };
  options().norm = architecture::NormPlace::kPost;
  refused("norm: The Annotated Transformer has only \"pre\", found \"post\"");
  options().activation = architecture::Activation::kGelu;
  refused("activation: The Annotated Transformer has only \"relu\", found \"gelu\"");
  options().embedding_norm = true;
  refused("embedding_norm: The Annotated Transformer has only false, found true");
}

TEST_F(Annotated, ASafetensorsFileHasEveryTensor) {
  use(test::tiny_weights(options().src_vocab));
  const auto all = annotated_transformer(bundle);
  const auto file = model::Safetensors::parse(safetensors_file(all), "file");
  EXPECT_EQ(file.tensors().size(), all.size());
  for (const NamedTensor& tensor : all) {
    EXPECT_EQ(file.at(tensor.name).shape, tensor.shape);
    EXPECT_EQ(model::floats_of(file, file.at(tensor.name)), *tensor.values);
  }
}

}  // namespace
}  // namespace ventris::exports
