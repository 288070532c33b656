#include "scripting/script_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nn/linear.h"

namespace ventris::scripting {
namespace {

using testing::HasSubstr;

/// A module whose one method is this text.
torch::jit::Module with(const std::string& text, const ScriptBuilder::NamedTensors& parameters) {
  torch::jit::Module module("Tested");
  module.register_attribute("training", c10::BoolType::get(), false);
  for (const auto& [name, value] : parameters) module.register_parameter(name, value, /*is_buffer=*/false);
  module.define(text);
  return module;
}

TEST(ScriptSource, ALeafComputesWhatLibTorchDoes) {
  torch::manual_seed(1);
  const auto x = torch::randn({2, 12}), weight = torch::randn({4, 12}), bias = torch::randn({4});
  EXPECT_TRUE(torch::equal(with(script_source::linear(), {{"weight", weight}, {"bias", bias}}).forward({x}).toTensor(),
                           torch::linear(x, weight, bias)));
  EXPECT_TRUE(torch::equal(with(script_source::linear(false), {{"weight", weight}}).forward({x}).toTensor(),
                           torch::linear(x, weight)));
  const auto ids = torch::tensor({{3, 0}});
  EXPECT_TRUE(torch::equal(with(script_source::embedding(), {{"weight", weight}}).forward({ids}).toTensor(),
                           torch::embedding(weight, ids)));
}

TEST(ScriptSource, DropoutDropsOnlyWhileTraining) {
  torch::manual_seed(1);
  torch::jit::Module dropout("Tested");
  dropout.register_attribute("training", c10::BoolType::get(), false);
  dropout.register_attribute("p", c10::FloatType::get(), 0.5);
  dropout.define(script_source::dropout());
  const auto ones = torch::ones({1000});
  EXPECT_TRUE(torch::equal(dropout.forward({ones}).toTensor(), ones));
  dropout.train();
  EXPECT_NEAR(dropout.forward({ones}).toTensor().eq(0).sum().item<double>(), 500, 80);  // 5 standard deviations
}

TEST(ScriptBuilder, ModulesOfAKindShareAClassAndHaveTheirOwnParameters) {
  ScriptBuilder build;
  nn::Linear first(3, 2), second(3, 2), plain(torch::nn::LinearOptions(3, 2).bias(false));
  const auto a = build.linear(*first), b = build.linear(*second), c = build.linear(*plain);
  EXPECT_EQ(a.type(), b.type());
  EXPECT_NE(a.type(), c.type()) << "it has no bias";
  const auto x = torch::randn({4, 3});
  for (auto [script, module] : {std::pair{a, first}, std::pair{b, second}, std::pair{c, plain}}) {
    EXPECT_TRUE(torch::equal(script.forward({x}).toTensor(), module->forward(x)));
  }
}

TEST(ScriptBuilder, AListNumbersItsItems) {
  ScriptBuilder build;
  const auto list = build.list("Pair", {build.linear(*nn::Linear(3, 2)), build.linear(*nn::Linear(3, 2))});
  std::vector<std::string> names;
  for (const auto& item : list.named_parameters()) names.push_back(item.name);
  EXPECT_EQ(names, (std::vector<std::string>{"0.weight", "0.bias", "1.weight", "1.bias"}));
}

}  // namespace
}  // namespace ventris::scripting
