#include "model/parameter_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ventris::model {
namespace {

using testing::ElementsAre;

std::vector<std::string> names_of(const std::vector<ParameterGroup>& groups) {
  std::vector<std::string> names;
  for (const ParameterGroup& group : groups) names.push_back(group.name);
  return names;
}

const std::vector<TensorSummary> kTensors{{"generator.proj.bias", "F32", {7}, ""},
                                          {"src_embed.0.lut.weight", "F32", {7, 4}, ""},
                                          {"extra", "F32", {2}, ""},
                                          {"encoder.layers.1.norm.weight", "F32", {4}, ""},
                                          {"encoder.layers.1.w_1.weight", "F32", {8, 4}, ""},
                                          {"encoder.layers.10.w_1.weight", "F32", {8, 4}, ""},
                                          {"encoder.norm.weight", "F32", {4}, ""},
                                          {"generator.proj.weight", "F32", {7, 4}, "src_embed.0.lut.weight"}};

TEST(GroupParameters, ModulesComeInTheOrderOfATranslation) {
  const auto modules = group_parameters(kTensors);
  EXPECT_THAT(names_of(modules), ElementsAre("encoder", "src_embed", "generator", "extra"));
  EXPECT_THAT(names_of(modules[0].parts), ElementsAre("layers.1", "layers.10", "norm"));
  EXPECT_THAT(names_of(modules[1].parts), ElementsAre("0.lut"));
}

TEST(GroupParameters, ALayerIsTheSumOfItsTensors) {
  const auto modules = group_parameters(kTensors);
  EXPECT_EQ(modules[0].parameters, 4 + 32 + 32 + 4);
  EXPECT_EQ(modules[0].tensors, 4);
  EXPECT_EQ(modules[0].parts[0].parameters, 36);
  EXPECT_EQ(modules[0].parts[0].tensors, 2);
}

TEST(GroupParameters, ATiedTensorCountsOnceWhereItIsStored) {
  const auto modules = group_parameters(kTensors);
  EXPECT_EQ(modules[1].parameters, 28);
  EXPECT_EQ(modules[2].parameters, 7);
  EXPECT_EQ(modules[2].tensors, 2);
  EXPECT_THAT(modules[2].tied_to, ElementsAre("src_embed.0.lut.weight"));
}

}  // namespace
}  // namespace ventris::model
