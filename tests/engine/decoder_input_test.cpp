#include "engine/decoder_input.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ventris::engine {
namespace {

using arithmetic::Matrix;
using arithmetic::Precision;
using Floats = std::vector<float>;

/// A model of two features. Token i of the source has the vector (i, 0), one of the target (0, i), and position t
/// (10 t, 10 t).
class EngineDecoderInput : public testing::Test {
 protected:
  EngineDecoderInput() {
    options.transformer.d_model = 2;
    options.transformer.scale_embeddings = false;
    weights.options = options.transformer;
    Floats source, target, positions;
    for (int i = 0; i < 9; ++i) {
      const auto value = static_cast<float>(i);
      source.insert(source.end(), {value, 0});
      target.insert(target.end(), {0, value});
      positions.insert(positions.end(), {10 * value, 10 * value});
    }
    weights.source.tokens = Matrix(source.data(), nullptr, 9, 2, Precision::kF32);
    weights.target.tokens = Matrix(target.data(), nullptr, 9, 2, Precision::kF32);
    weights.target.positions = positions;
  }
  Floats first(architecture::DecoderInput kind, const std::vector<int32_t>& source, int64_t positions) {
    options.decoder_input = kind;
    DecoderInput input({arithmetic::kernels(), weights.options, work}, weights, options);
    Floats x(static_cast<size_t>(2 * positions));
    input.first(source, positions, x.data());
    return x;
  }

  architecture::NatOptions options;
  TransformerWeights weights;
  layers::Workspace work;
};

TEST_F(EngineDecoderInput, AMaskIsTheTargetTokenBosAtEachPosition) {
  EXPECT_EQ(first(architecture::DecoderInput::kMask, {7, 8}, 3), (Floats{0, 2, 10, 12, 20, 22}));
}

TEST_F(EngineDecoderInput, SourceTokensAreSpreadEvenlyAndInTheMiddleTheEvenOneIsTaken) {
  const auto tokens = [&](const std::vector<int32_t>& source, int64_t positions) {
    const Floats x = first(architecture::DecoderInput::kUniform, source, positions);
    std::vector<int> found;
    for (size_t t = 0; t < x.size() / 2; ++t) {
      EXPECT_EQ(x[2 * t + 1], 10 * static_cast<float>(t));
      found.push_back(static_cast<int>(x[2 * t] - x[2 * t + 1]));
    }
    return found;
  };
  EXPECT_EQ(tokens({4, 5, 6}, 5), (std::vector<int>{4, 4, 5, 6, 6})) << "places 0, 0.5, 1, 1.5 and 2";
  EXPECT_EQ(tokens({4, 5, 6}, 2), (std::vector<int>{4, 6}));
  EXPECT_EQ(tokens({4, 5, 6}, 1), (std::vector<int>{4}));
  EXPECT_EQ(tokens({8}, 3), (std::vector<int>{8, 8, 8}));
}

TEST_F(EngineDecoderInput, AMeanHasMostOfTheNearestTokens) {
  options.copy_width = 0.5;
  const Floats x = first(architecture::DecoderInput::kSoft, {4, 8}, 3);
  const double far = std::exp(-2.0);  // the share of a token at a distance of 1, before division
  EXPECT_NEAR(x[0], (4 + 8 * far) / (1 + far), 1e-5);
  EXPECT_EQ(x[1], 0);
  EXPECT_NEAR(x[2], 10 + 6, 1e-5) << "in the middle of both";
  EXPECT_NEAR(x[4], 20 + (8 + 4 * far) / (1 + far), 1e-5);
}

TEST_F(EngineDecoderInput, GivenTokensAreThoseOfTheTarget) {
  DecoderInput input({arithmetic::kernels(), weights.options, work}, weights, options);
  Floats x(4);
  input.embed(std::vector<int32_t>{5, 3}, x.data());
  EXPECT_EQ(x, (Floats{0, 5, 10, 13}));
}

TEST_F(EngineDecoderInput, TokenVectorsAreScaledAsInTheModel) {
  weights.options.scale_embeddings = true;
  const auto root = std::sqrt(2.0F);
  EXPECT_FLOAT_EQ(first(architecture::DecoderInput::kSoft, {4}, 1)[0], 4 * root);
  EXPECT_FLOAT_EQ(first(architecture::DecoderInput::kUniform, {4}, 1)[0], 4 * root);
}

}  // namespace
}  // namespace ventris::engine
