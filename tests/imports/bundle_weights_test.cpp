#include "imports/bundle_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "architecture/transformer_parts.h"
#include "core/error.h"
#include "imports/tensors_in_memory.h"
#include "model/safetensors.h"
#include "support/errors.h"

namespace ventris::imports {
namespace {

using testing::ElementsAre;

/// A Transformer of two features, which the other program has the other way round.
class BundleWeightsTest : public testing::Test {
 protected:
  BundleWeightsTest() {
    options_.src_vocab = options_.tgt_vocab = 5;
    options_.encoder_layers = options_.decoder_layers = options_.heads = 1;
    options_.d_model = 2;
    options_.d_ff = 3;
    options_.max_positions = 8;
  }
  /// Sets every tensor that is stored: its elements are 0, 1, 2, ...
  void set_all(BundleWeights& weights) const {
    architecture::each_transformer_tensor(options_, options_.max_positions,
                                          [&](const std::string& name, const std::vector<int64_t>& shape) {
                                            std::vector<float> values(static_cast<size_t>(model::elements_of(shape)));
                                            for (size_t i = 0; i < values.size(); ++i)
                                              values[i] = static_cast<float>(i);
                                            weights.set(name, values);
                                          });
  }

  TensorsInMemory tensors_;
  architecture::TransformerOptions options_;
  const Order features_{1, 0};
  BundleWeights weights_{tensors_, options_, features_};
};

TEST_F(BundleWeightsTest, ALinearLayerReordersTheSideThatHasTheFeatures) {
  tensors_.add("w.weight", {3, 2}, {1, 2, 3, 4, 5, 6});
  tensors_.add("w.bias", {3}, {7, 8, 9});
  weights_.linear("in", "w", 3, 2, BundleWeights::Sides::kInputs);
  EXPECT_THAT(weights_.values("in.weight"), ElementsAre(2, 1, 4, 3, 6, 5));
  EXPECT_THAT(weights_.values("in.bias"), ElementsAre(7, 8, 9));
  tensors_.add("w.weight", {2, 3}, {1, 2, 3, 4, 5, 6});
  tensors_.add("w.bias", {2}, {7, 8});
  weights_.linear("out", "w", 2, 3, BundleWeights::Sides::kOutputs);
  EXPECT_THAT(weights_.values("out.weight"), ElementsAre(4, 5, 6, 1, 2, 3));
  EXPECT_THAT(weights_.values("out.bias"), ElementsAre(8, 7));
}

TEST_F(BundleWeightsTest, NormsAndTablesHaveTheFeaturesInOurOrder) {
  tensors_.add("n.weight", {2}, {1, 2});
  tensors_.add("n.bias", {2}, {3, 4});
  weights_.norm("norm", "n");
  EXPECT_THAT(weights_.values("norm.weight"), ElementsAre(2, 1));
  EXPECT_THAT(weights_.values("norm.bias"), ElementsAre(4, 3));
  tensors_.add("t", {3, 2}, {1, 2, 3, 4, 5, 6});
  weights_.table("table", "t", 3, {2, -1, 0, 0});
  EXPECT_THAT(weights_.values("table"), ElementsAre(6, 5, 0, 0, 2, 1, 2, 1)) << "a negative row is zeros";
}

TEST_F(BundleWeightsTest, AMissingTensorAndAnotherShapeAreNamed) {
  tensors_.add("w.weight", {2, 3}, std::vector<float>(6));
  EXPECT_FAILS(weights_.take("w.weight", {3, 2}), ModelError,
               "file: tensor 'w.weight': expected shape [3, 2], found [2, 3]");
  EXPECT_FAILS(weights_.linear("a", "w", 2, 3, BundleWeights::Sides::kInputs), ModelError,
               "file: has no tensor 'w.bias'");
}

TEST_F(BundleWeightsTest, ATensorThatNothingAskedForIsNamedUnlessItIsIgnored) {
  set_all(weights_);
  tensors_.add("taken", {1}, {1});
  tensors_.add("more", {1}, {1});
  weights_.take("taken", {1});
  EXPECT_FAILS(weights_.finish(), ModelError, "file: tensor 'more': this kind of model has no such part");
  weights_.ignore("more");
  EXPECT_NO_THROW(weights_.finish());
}

TEST_F(BundleWeightsTest, ATensorThatWasNotMadeIsAMistakeOfTheProgram) {
  EXPECT_FAILS(weights_.finish(), std::logic_error, "was not made, or has another size");
  set_all(weights_);
  weights_.set("decoder.norm.weight", {1});
  EXPECT_FAILS(weights_.finish(), std::logic_error, "'decoder.norm.weight'");
}

TEST_F(BundleWeightsTest, TiedTensorsAreStoredOnce) {
  for (const auto& [tying, tied] : {std::pair(architecture::Tying::kNone, 0U),
                                    {architecture::Tying::kDecoder, 1U},
                                    {architecture::Tying::kAll, 2U}}) {
    options_.tying = tying;
    BundleWeights weights(tensors_, options_, features_);
    set_all(weights);
    const auto file = model::Safetensors::parse(weights.finish(), "bundle");
    EXPECT_EQ(file.aliases(), architecture::tied_tensors(tying));
    EXPECT_EQ(file.aliases().size(), tied);
    EXPECT_EQ(file.at("generator.proj.weight").shape, (std::vector<int64_t>{5, 2}));
    EXPECT_EQ(file.metadata().at("format"), "pt");
  }
}

}  // namespace
}  // namespace ventris::imports
