#include "layers/layers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "architecture/sinusoids.h"
#include "arithmetic/every_kernel_set.h"
#include "support/random_numbers.h"

namespace ventris::layers {
namespace {

using architecture::TransformerOptions;

class LayersTest : public test::EveryKernelSet {
 protected:
  Context context(const TransformerOptions& options) { return {kernels(), options, work_}; }

 private:
  Workspace work_;
};
INSTANTIATE_EVERY_KERNEL_SET(LayersTest);

/// So many rows with so wide a hidden layer are taken in parts.
TEST_P(LayersTest, ARowOfAFeedForwardPartDoesNotDependOnTheOthers) {
  TransformerOptions options;
  options.d_model = 4;
  options.d_ff = 20000;
  test::RandomNumbers random(3);
  const auto matrix = [&](int64_t outputs, int64_t inputs) {
    return Matrix(random.values(outputs * inputs).data(), random.values(outputs).data(), outputs, inputs,
                  arithmetic::Precision::kInt8);
  };
  const FeedForward weights{matrix(options.d_ff, options.d_model), matrix(options.d_model, options.d_ff), {}, {}, {}};
  const int64_t rows = 50, width = options.d_model;
  const auto input = random.values(rows * width), before = random.values(rows * width);
  auto all = before, alone = before;
  feed_forward(context(options), weights, input.data(), rows, all.data());
  for (int64_t row = 0; row < rows; ++row) {
    feed_forward(context(options), weights, input.data() + row * width, 1, alone.data() + row * width);
  }
  EXPECT_EQ(all, alone);
}

TEST_P(LayersTest, AnEmbeddingIsTheSumOfTokenAndPosition) {
  TransformerOptions options;
  options.d_model = 4;  // tokens are multiplied by its square root
  const std::vector<float> tokens{1, 2, 3, 4, 5, 6, 7, 8};
  Embedding weights;
  weights.tokens = Matrix(tokens.data(), nullptr, 2, 4, Precision::kF32);
  weights.positions = {10, 20, 30, 40, 50, 60, 70, 80};
  const std::vector<int32_t> ids{1, 0, 1};
  const std::vector<int64_t> positions{0, 0, 1};
  std::vector<float> x(12);
  embed(context(options), weights, ids, positions, x.data());
  EXPECT_EQ(x, (std::vector<float>{20, 32, 44, 56, 12, 24, 36, 48, 60, 72, 84, 96}));
}

TEST_P(LayersTest, WithRelativePositionsAnEmbeddingIsTheToken) {
  TransformerOptions options;
  options.d_model = 4;  // tokens are multiplied by its square root
  const std::vector<float> tokens{1, 2, 3, 4, 5, 6, 7, 8};
  Embedding weights;
  weights.tokens = Matrix(tokens.data(), nullptr, 2, 4, Precision::kF32);
  const std::vector<int32_t> ids{1, 0};
  const std::vector<int64_t> positions{0, 1};
  std::vector<float> x(8);
  embed(context(options), weights, ids, positions, x.data());
  EXPECT_EQ(x, (std::vector<float>{10, 12, 14, 16, 2, 4, 6, 8}));
}

TEST(Embedding, PositionsAreLearnedOrSinusoids) {
  Embedding embedding;
  const std::vector<float> tokens{1, 2};
  embedding.tokens = Matrix(tokens.data(), nullptr, 1, 2, arithmetic::Precision::kF32);
  embedding.positions = {10, 20, 30, 40};
  EXPECT_EQ(embedding.position(1)[1], 40);
  embedding.sinusoids = std::make_shared<const architecture::Sinusoids>(2);
  EXPECT_EQ(embedding.position(1)[1], architecture::sinusoid_table(2, 2)[3]);
}

TEST_P(LayersTest, NormsStandBeforeOrAfterABlock) {
  TransformerOptions options;
  options.d_model = 2;
  const Norm norm{{1, 1}, {0, 0}};
  for (const bool before : {true, false}) {
    options.norm = before ? architecture::NormPlace::kPre : architecture::NormPlace::kPost;
    std::vector<float> x{4, 8}, input;
    sublayer(context(options), norm, x.data(), 1, [&](const float* from) {
      input.assign(from, from + 2);
      x[0] += 10;
    });
    const std::vector<float> normed{-1, 1};
    const std::vector<float> expected_input = before ? normed : std::vector<float>{4, 8};
    const std::vector<float> expected = before ? std::vector<float>{14, 8} : std::vector<float>{1, -1};
    for (size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(input[i], expected_input[i], 1e-5);
      EXPECT_NEAR(x[i], expected[i], 1e-5);
    }
  }
}

TEST_P(LayersTest, AnRmsNormHasNoMeanAndNoBias) {
  TransformerOptions options;
  options.d_model = 2;
  options.norm_kind = architecture::NormKind::kRms;
  options.norm_epsilon = 5;
  const Norm norm{{1, 2}, {}};
  const std::vector<float> x{3, 1, 6, 2};  // mean squares of 5 and 20
  std::vector<float> out(4);
  normalise(context(options), norm, x.data(), 2, out.data());
  const std::vector<double> expected{3 / std::sqrt(10), 2 / std::sqrt(10), 6 / std::sqrt(25), 4 / std::sqrt(25)};
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(out[i], expected[i], 1e-6);
}

TEST(CheckIds, AnIdOutsideTheVocabularyIsRefused) {
  EXPECT_NO_THROW(check_ids(std::vector<int32_t>{0, 11}, 12));
  EXPECT_THROW(check_ids(std::vector<int32_t>{4, 12}, 12), std::invalid_argument);
  EXPECT_THROW(check_ids(std::vector<int32_t>{-1}, 12), std::invalid_argument);
}

}  // namespace
}  // namespace ventris::layers
