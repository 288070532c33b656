#include "layers/encoder.h"

#include <gtest/gtest.h>

#include "arithmetic/every_kernel_set.h"
#include "engine/random_model.h"

namespace ventris::layers {
namespace {

using architecture::CrossAttention;
using architecture::TransformerOptions;
using Sentence = std::vector<int32_t>;

/// An encoder with random weights.
class EncoderTest : public test::EveryKernelSet {
 protected:
  void make(const TransformerOptions& options) {
    weights_ = pack_weights(options, test::random_model(options, 1).file(), Precision::kF32);
    encoder_ = std::make_unique<Encoder>(Context{kernels(), weights_.options, work_}, weights_);
  }
  static std::vector<std::span<const int32_t>> views(const std::vector<Sentence>& sentences) {
    return {sentences.begin(), sentences.end()};
  }
  std::vector<float> states(const std::vector<Sentence>& sentences) {
    encoder_->encode(views(sentences));
    return rows(encoder_->states());
  }
  std::vector<float> states_to(size_t layer, const std::vector<Sentence>& sentences) {
    encoder_->encode_to(layer, views(sentences));
    return rows(encoder_->states());
  }
  std::vector<float> memory(size_t layer) { return rows(encoder_->memory(layer)); }
  std::vector<float> rows(const float* first) const {
    return {first, first + encoder_->rows() * weights_.options.d_model};
  }
  Encoder& encoder() { return *encoder_; }
  TransformerWeights& weights() { return weights_; }
  Workspace& work() { return work_; }

 private:
  Workspace work_;
  TransformerWeights weights_;
  std::unique_ptr<Encoder> encoder_;
};
INSTANTIATE_EVERY_KERNEL_SET(EncoderTest);

TEST_P(EncoderTest, ASentenceHasTheSameStatesAloneAndAmongOthers) {
  make(test::smallest_transformer(3, 20));
  const Sentence first{4, 5, 6}, second{7, 8, 9, 10, 4};
  const std::vector<float> one = states({first}), other = states({second}), both = states({first, second});
  EXPECT_EQ(encoder().rows(), 8);
  EXPECT_EQ(std::vector<float>(both.begin(), both.begin() + 24), one);
  EXPECT_EQ(std::vector<float>(both.begin() + 24, both.end()), other);
  encoder().release();
  EXPECT_EQ(states({first}), one);
}

TEST_P(EncoderTest, TheOutputOfALayerIsWithoutTheFinalNorm) {
  make(test::smallest_transformer(3, 20));
  const std::vector<Sentence> sentence{{4, 5, 6}};
  const std::vector<float> embeddings = states_to(0, sentence);
  std::vector<float> expected(24);
  const std::vector<int64_t> positions{0, 1, 2};
  const Context context{kernels(), weights().options, work()};
  embed(context, weights().source, sentence[0], positions, expected.data());
  EXPECT_EQ(embeddings, expected);
  std::vector<float> last = states_to(3, sentence);
  normalise(context, weights().encoder_norm, last.data(), 3, last.data());
  EXPECT_EQ(last, states(sentence));
}

TEST_P(EncoderTest, ADecoderLayerSeesTheLastOutputTheMeanOrItsOwn) {
  const std::vector<Sentence> sentence{{4, 5, 6}};
  TransformerOptions options = test::smallest_transformer(3, 20);
  options.norm = architecture::NormPlace::kPost;  // without a final norm, an output is that of its layer
  make(options);
  std::vector<std::vector<float>> outputs;
  for (size_t layer = 1; layer <= 3; ++layer) outputs.push_back(states_to(layer, sentence));
  states(sentence);
  EXPECT_EQ(memory(1), outputs[2]);

  options.cross_attention = CrossAttention::kMean;
  make(options);
  states(sentence);
  const std::vector<float> mean = memory(0);
  for (size_t i = 0; i < mean.size(); ++i) {
    ASSERT_NEAR(mean[i], (outputs[0][i] + outputs[1][i] + outputs[2][i]) / 3, 1e-6);
  }
  EXPECT_EQ(memory(1), mean);

  options.cross_attention = CrossAttention::kLayerwise;
  make(options);
  states(sentence);
  EXPECT_EQ(memory(0), outputs[1]) << "of 2 decoder layers, the first sees encoder layer ceil(3 / 2)";
  EXPECT_EQ(memory(1), outputs[2]);
}

TEST_P(EncoderTest, AMixtureHasTheSharesOfItsDecoderLayer) {
  const std::vector<Sentence> sentence{{4, 5}};
  TransformerOptions options = test::smallest_transformer(3, 20);
  options.norm = architecture::NormPlace::kPost;
  options.cross_attention = CrossAttention::kWeighted;
  make(options);
  weights().decoder[1].mixture = {0.5F, 0, 0.5F};
  const std::vector<float> first = states_to(1, sentence), third = states_to(3, sentence);
  states(sentence);
  const std::vector<float> mixed = memory(1);
  for (size_t i = 0; i < mixed.size(); ++i) ASSERT_NEAR(mixed[i], (first[i] + third[i]) / 2, 1e-6);
}

TEST(EncoderNeeds, OutputsAreKeptOnlyIfTheDecoderNeedsThem) {
  TransformerOptions options = test::smallest_transformer(3, 20);
  const int64_t last = Encoder::needs(options).encoded_token;
  options.cross_attention = CrossAttention::kMean;
  EXPECT_EQ(Encoder::needs(options).encoded_token - last, 3 * 4 * 8 * (3 + 1) / 2) << "3 layers, and their mean";
}

}  // namespace
}  // namespace ventris::layers
