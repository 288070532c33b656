#include "imports/fairseq_tensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "imports/tensors_in_memory.h"
#include "support/errors.h"

namespace ventris::imports {
namespace {

using testing::ElementsAre;

class FairseqTensors : public testing::Test {
 protected:
  std::unique_ptr<TensorSource> read() const { return fairseq_tensors(std::make_unique<TensorsInMemory>(stored_)); }
  std::vector<std::string> names_of(const std::vector<std::string>& stored) {
    for (const std::string& name : stored) stored_.add(name, {1}, {1});
    return read()->names();
  }
  TensorsInMemory stored_;
};

TEST_F(FairseqTensors, NormsThatHadNumbersHaveNames) {
  EXPECT_THAT(names_of({"model.decoder.layers.0.layer_norms.0.weight", "decoder.layers.0.layer_norms.1.bias",
                        "decoder.layers.0.layer_norms.2.bias", "encoder.layers.0.layer_norms.0.bias",
                        "encoder.layers.0.layer_norms.1.bias"}),
              testing::UnorderedElementsAre(
                  "decoder.layers.0.self_attn_layer_norm.weight", "decoder.layers.0.encoder_attn_layer_norm.bias",
                  "decoder.layers.0.final_layer_norm.bias", "encoder.layers.0.self_attn_layer_norm.bias",
                  "encoder.layers.0.final_layer_norm.bias"))
      << "the second norm of the encoder is its last";
}

TEST_F(FairseqTensors, TheOutputLayerHasItsNewNameAndWhatHasNoEffectIsLeftOut) {
  EXPECT_THAT(names_of({"decoder.embed_out", "encoder.version", "encoder.embed_positions._float_tensor",
                        "decoder.embed_positions.weights", "encoder.layers.0.in_proj_weight",
                        "encoder.layers.0.fc1_bias", "encoder.layers.0.out_proj_weight"}),
              testing::UnorderedElementsAre("decoder.output_projection.weight", "encoder.version"));
}

TEST_F(FairseqTensors, ProjectionsThatWereOneTensorAreThree) {
  stored_.add("encoder.layers.0.self_attn.in_proj_weight", {6, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  stored_.add("encoder.layers.0.self_attn.in_proj_bias", {6}, {0, 1, 2, 3, 4, 5});
  const auto tensors = read();
  const std::string block = "encoder.layers.0.self_attn.";
  EXPECT_TRUE(tensors->contains(block + "v_proj.bias"));
  EXPECT_THAT(tensors->shape(block + "k_proj.weight"), ElementsAre(2, 2));
  EXPECT_THAT(tensors->floats(block + "q_proj.weight"), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(tensors->floats(block + "k_proj.weight"), ElementsAre(4, 5, 6, 7));
  EXPECT_THAT(tensors->floats(block + "v_proj.weight"), ElementsAre(8, 9, 10, 11));
  EXPECT_THAT(tensors->floats(block + "v_proj.bias"), ElementsAre(4, 5));
  EXPECT_EQ(tensors->names().size(), 6U);
}

TEST_F(FairseqTensors, ProjectionsThatAreNotThreeAreNamed) {
  stored_.add("encoder.layers.0.self_attn.in_proj_bias", {4}, {0, 1, 2, 3});
  EXPECT_FAILS(read()->shape("encoder.layers.0.self_attn.q_proj.bias"), ModelError,
               "tensor 'encoder.layers.0.self_attn.in_proj_bias': expected three projections, found shape [4]");
  EXPECT_FAILS(read()->floats("encoder.layers.0.self_attn.q_proj.bias"), ModelError, "expected three projections");
}

TEST_F(FairseqTensors, TwoTensorsThatGetOneNameAreNamed) {
  EXPECT_FAILS(names_of({"encoder.version", "model.encoder.version"}), ModelError,
               "has the tensor 'encoder.version' twice, as 'encoder.version' and 'model.encoder.version'");
}

}  // namespace
}  // namespace ventris::imports
