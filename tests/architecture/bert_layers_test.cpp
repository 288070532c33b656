#include "architecture/bert_layers.h"

#include <gtest/gtest.h>

namespace ventris::architecture {
namespace {

using Shapes = std::map<std::string, std::vector<int64_t>>;

/// The tensors whose names begin like this.
Shapes tensors_of(const Architecture& model, const std::string& beginning) {
  Shapes found;
  model.each_tensor([&](const std::string& name, const std::vector<int64_t>& shape) {
    if (name.starts_with(beginning)) found[name] = shape;
  });
  return found;
}

TEST(BertLayers, HaveTheTensorsOfATransformerUnderOtherNames) {
  BertOptions options;
  options.vocab = 30;
  options.layers = 3;
  options.d_model = 8;
  options.d_ff = 20;
  options.heads = 2;
  const Shapes theirs = tensors_of(BertArchitecture(options), "bert.encoder.layer.");
  const Shapes ours = tensors_of(TransformerArchitecture(encoder_options(options)), "encoder.layers.");
  const auto names = bert_layer_tensors(options.layers);
  EXPECT_EQ(names.size(), ours.size());
  EXPECT_EQ(names.size(), theirs.size());
  for (const auto& [our_name, their_name] : names) EXPECT_EQ(ours.at(our_name), theirs.at(their_name)) << our_name;
}

}  // namespace
}  // namespace ventris::architecture
