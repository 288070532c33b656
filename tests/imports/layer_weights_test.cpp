#include "imports/layer_weights.h"

#include <gtest/gtest.h>

#include "architecture/sinusoids.h"
#include "core/error.h"
#include "imports/tensors_in_memory.h"
#include "model/safetensors.h"
#include "support/errors.h"

namespace ventris::imports {
namespace {

const LayerNames kNames{{"q", "k", "v", "o"}, "in", "out", "gate"};

class LayerWeightsTest : public testing::Test {
 protected:
  LayerWeightsTest() {
    options_.d_model = 2;
    options_.d_ff = 3;
    options_.heads = 1;
    tensors_.add("ff.in.weight", {2, 2}, {1, 2, 3, 4});
    tensors_.add("ff.in.bias", {2}, {5, 6});
    tensors_.add("ff.out.weight", {2, 2}, {1, 2, 3, 4});
  }
  TensorsInMemory tensors_;
  architecture::TransformerOptions options_;
  const Order features_ = unchanged(2);
  BundleWeights weights_{tensors_, options_, features_};
  LayerWeights layers_{tensors_, options_, weights_, kNames};
  using Values = std::vector<float>;
};

TEST_F(LayerWeightsTest, NarrowPartsAreFilledUpAndMissingBiasesAreZeros) {
  layers_.scale_results(0.5F);
  layers_.feed_forward("ours", "ff");
  EXPECT_EQ(weights_.values("ours.w_1.weight"), (Values{1, 2, 3, 4, 0, 0}));
  EXPECT_EQ(weights_.values("ours.w_1.bias"), (Values{5, 6, 0}));
  EXPECT_EQ(weights_.values("ours.w_2.weight"), (Values{0.5F, 1, 0, 1.5F, 2, 0}));
  EXPECT_EQ(weights_.values("ours.w_2.bias"), (Values{0, 0}));
}

TEST_F(LayerWeightsTest, WiderPartsThanThatOfTheFirstLayerAreRefused) {
  tensors_.add("ff.in.weight", {4, 2}, Values(8, 0));
  EXPECT_FAILS(layers_.feed_forward("ours", "ff"), ModelError,
               "file: tensor 'ff.in.weight': expected at most 3 rows as in the first layer, found 4");
}

TEST_F(LayerWeightsTest, EachSideHasTheWidthOfItsFirstLayer) {
  tensors_.add("small", {1, 2}, {0, 0});
  tensors_.add("large", {4, 2}, Values(8, 0));
  set_inner_widths(tensors_, "small", "large", options_);
  EXPECT_EQ(options_.d_ff, 1);
  EXPECT_EQ(options_.decoder_d_ff, 4);
  layers_.feed_forward("decoder.layers.0.feed_forward", "ff");
  EXPECT_EQ(weights_.values("decoder.layers.0.feed_forward.w_1.bias"), (Values{5, 6, 0, 0}));
  set_inner_widths(tensors_, "large", "large", options_);
  EXPECT_EQ(options_.decoder_d_ff, 0) << "the same as d_ff";
}

TEST_F(LayerWeightsTest, FeaturesThatAreRotatedInHalvesBecomeNeighbours) {
  options_.d_model = 4;
  const Order four = unchanged(4);
  BundleWeights weights(tensors_, options_, four);
  LayerWeights layers(tensors_, options_, weights, kNames);
  Values rows;
  for (const int row : {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}) rows.push_back(static_cast<float>(row));
  for (const char* name : {"a.q.weight", "a.k.weight", "a.v.weight", "a.o.weight"}) tensors_.add(name, {4, 4}, rows);
  tensors_.add("a.q.bias", {4}, {0, 1, 2, 3});
  layers.attention("ours", "a", LayerWeights::Rotation::kHalves);
  EXPECT_EQ(weights.values("ours.linears.0.bias"), (Values{0, 2, 1, 3}));
  EXPECT_EQ(weights.values("ours.linears.1.weight")[4], 2);
  EXPECT_EQ(weights.values("ours.linears.2.weight"), rows);
}

TEST_F(LayerWeightsTest, TablesOfSinusoidsAreChecked) {
  const auto expected = [](int64_t count) { return architecture::sinusoid_table(count, 2); };
  tensors_.add("pe", {3, 1, 2}, expected(3));
  EXPECT_EQ(check_sinusoids(tensors_, "pe", 2, expected), 3);
  tensors_.add("pe", {3, 1, 2}, Values(6, 0));
  EXPECT_FAILS(check_sinusoids(tensors_, "pe", 2, expected), ModelError,
               "expected sinusoids, found other values in position 0");
  tensors_.add("pe", {6}, Values(6, 0));
  EXPECT_FAILS(check_sinusoids(tensors_, "pe", 2, expected), ModelError,
               "expected positions of 2 features, found shape [6]");
}

}  // namespace
}  // namespace ventris::imports
