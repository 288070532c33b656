#include "backend/module_weights.h"

#include <gtest/gtest.h>

#include <map>

#include "core/error.h"
#include "nn/dropout.h"
#include "support/errors.h"
#include "support/tiny_model.h"

namespace ventris::backend {
namespace {

TEST(ModuleWeights, ComeBackBitForBit) {
  auto first = test::tiny_model(1), second = test::tiny_model(2);
  load_weights(*second, model::Safetensors::parse(save_weights(*first), "weights"));
  const auto expected = first->named_parameters(), found = second->named_parameters();
  for (const auto& item : expected) EXPECT_TRUE(torch::equal(item.value(), found[item.key()])) << item.key();
}

TEST(ModuleWeights, ATiedMatrixIsStoredOnceUnderItsFirstName) {
  const auto stored = model::Safetensors::parse(save_weights(*test::tiny_model()), "weights");
  EXPECT_EQ(stored.aliases().size(), 2U);
  EXPECT_TRUE(stored.contains("generator.proj.weight"));
  EXPECT_TRUE(stored.contains("src_embed.0.lut.weight"));
  EXPECT_TRUE(stored.contains("tgt_embed.0.lut.weight"));
  EXPECT_EQ(stored.at("generator.proj.weight").bytes.data(), stored.at("src_embed.0.lut.weight").bytes.data());
}

TEST(ModuleOptions, EachDropoutGoesToItsPlace) {
  nn::TransformerOptions config = test::shape_of(test::package_of_tiny_model().config);
  config.dropout = 0.1;
  config.attention_dropout = 0.2;
  config.activation_dropout = 0.3;
  config.embedding_dropout = 0.4;
  const auto module = families::make_model(config);
  std::map<std::string, double> found;
  for (const auto& item : module->named_modules()) {
    const auto* dropout = dynamic_cast<const nn::DropoutImpl*>(item.value().get());
    if (dropout != nullptr) found[item.key()] = dropout->p;
  }
  const std::string layer = "decoder.layers.0.";
  EXPECT_EQ(found.at(layer + "sublayer.0.dropout"), 0.1);
  EXPECT_EQ(found.at(layer + "self_attn.dropout"), 0.2);
  EXPECT_EQ(found.at(layer + "src_attn.dropout"), 0.2);
  EXPECT_EQ(found.at(layer + "feed_forward.dropout"), 0.3);
  EXPECT_EQ(found.at("tgt_embed.1.dropout"), 0.4);
  EXPECT_EQ(found.at("src_embed.1.dropout"), 0.4);
}

TEST(SavedUpdates, AreRefusedIfTheFileHasNone) {
  const auto without = model::Safetensors::parse(model::write_safetensors({}, {}), "optimizer.safetensors");
  EXPECT_FAILS(saved_updates(without), ModelError, "optimizer.safetensors: has no update count in its metadata");
}

TEST(ModuleWeights, AMissingAForeignAndAMisshapenTensorAreNamed) {
  auto module = test::tiny_model();
  const auto whole = model::Safetensors::parse(save_weights(*module), "weights");
  const auto error_with = [&](const std::vector<model::TensorView>& tensors) -> std::string {
    try {
      load_weights(*module, model::Safetensors::parse(model::write_safetensors(tensors, whole.metadata()), "weights"));
    } catch (const ModelError& error) {
      return error.what();
    }
    return "";
  };
  auto tensors = whole.tensors();
  const std::string name = tensors.back().name;
  tensors.pop_back();
  EXPECT_NE(error_with(tensors).find(name), std::string::npos);

  tensors = whole.tensors();
  auto foreign = tensors.front();
  foreign.name = "encoder.layers.9.extra";
  tensors.push_back(foreign);
  EXPECT_NE(error_with(tensors).find("encoder.layers.9.extra: the model in config.json has no such tensor"),
            std::string::npos);

  tensors = whole.tensors();
  for (auto& tensor : tensors) {
    if (tensor.name != "encoder.norm.weight") continue;
    tensor.shape = {4, 4};
  }
  EXPECT_NE(error_with(tensors).find("encoder.norm.weight: expected shape [16], found [4, 4]"), std::string::npos);
}

}  // namespace
}  // namespace ventris::backend
