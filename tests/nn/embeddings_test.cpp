#include "nn/embeddings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <stdexcept>

#include "support/changed_options.h"

namespace ventris::nn {
namespace {

TransformerOptions options() {
  return TransformerOptions{
      .src_vocab = 11, .tgt_vocab = 11, .d_model = 6, .dropout = 0, .max_positions = 20, .tying = Tying::kNone};
}

TEST(Embeddings, ScaleByTheRootOfTheWidth) {
  TransformerOptions options;
  options.d_model = 16;
  Embeddings embeddings(options, 11);
  const auto result = embeddings(torch::tensor({{3, 0}}));
  EXPECT_TRUE(torch::allclose(result[0][0], embeddings->lut->weight[3] * 4));
}

TEST(PositionalEncoding, InterleavesSineAndCosine) {
  const PositionalEncoding positions(options());
  EXPECT_EQ(positions->pe.sizes(), (std::vector<int64_t>{1, 20, 6}));
  for (int64_t position = 0; position < 20; ++position) {
    for (int64_t i = 0; i < 6; i += 2) {
      const double angle = static_cast<double>(position) / std::pow(10000.0, static_cast<double>(i) / 6);
      EXPECT_NEAR(positions->pe[0][position][i].item<double>(), std::sin(angle), 1e-5);
      EXPECT_NEAR(positions->pe[0][position][i + 1].item<double>(), std::cos(angle), 1e-5);
    }
  }
}

TEST(PositionalEncoding, AnOddWidthEndsWithASine) {
  const PositionalEncoding positions(test::with(options(), &TransformerOptions::d_model, 5));
  EXPECT_EQ(positions->pe.size(2), 5);
  EXPECT_NEAR(positions->pe[0][3][4].item<double>(), std::sin(3 / std::pow(10000.0, 0.8)), 1e-6);
}

TEST(PositionalEncoding, RelativePositionsAddNothingAndHaveNoEnd) {
  PositionalEncoding positions(test::with(options(), &TransformerOptions::positions, Positions::kRelative));
  const auto x = torch::randn({2, 25, 6});
  EXPECT_TRUE(torch::equal(positions(x), x));
  EXPECT_TRUE(torch::equal(positions->at_positions(x[0], torch::arange(25)), x[0]));
  EXPECT_TRUE(positions->parameters().empty());
  EXPECT_TRUE(positions->buffers().empty());
  std::ostringstream text;
  text << *positions;
  EXPECT_NE(text.str().find("PositionalEncoding(relative)"), std::string::npos);
}

TEST(PositionalEncoding, BucketsOfDistancesAddNothingButHaveAnEnd) {
  PositionalEncoding positions(test::with(options(), &TransformerOptions::positions, Positions::kRelativeBias));
  const auto x = torch::randn({2, 20, 6});
  EXPECT_TRUE(torch::equal(positions(x), x));
  EXPECT_TRUE(positions->parameters().empty() && positions->buffers().empty());
  EXPECT_THROW(positions(torch::zeros({1, 21, 6})), std::invalid_argument);
}

TEST(PositionalEncoding, RotaryPositionsAddNothingButHaveAnEnd) {
  PositionalEncoding positions(test::with(options(), &TransformerOptions::positions, Positions::kRotary));
  const auto x = torch::randn({2, 20, 6});
  EXPECT_TRUE(torch::equal(positions(x), x));
  EXPECT_TRUE(torch::equal(positions->at_positions(x[0], torch::arange(20)), x[0]));
  EXPECT_TRUE(positions->parameters().empty());
  EXPECT_TRUE(positions->buffers().empty());
  EXPECT_THROW(positions(torch::zeros({1, 21, 6})), std::invalid_argument);
  std::ostringstream text;
  text << *positions;
  EXPECT_NE(text.str().find("PositionalEncoding(rotary, max_positions=20)"), std::string::npos) << text.str();
}

TEST(Sinusoids, OfANegativeDistanceHaveTheOtherSine) {
  const auto there = sinusoids(torch::tensor({3.0F}), 6)[0], back = sinusoids(torch::tensor({-3.0F}), 6)[0];
  const auto signs = torch::tensor({-1, 1, -1, 1, -1, 1});
  EXPECT_TRUE(torch::allclose(back, there * signs));
}

TEST(PositionalEncoding, AnOffsetContinuesASequence) {
  PositionalEncoding positions(options());
  const auto x = torch::randn({2, 7, 6});
  const auto whole = positions(x);
  EXPECT_TRUE(torch::equal(positions(x.narrow(1, 4, 3), 4), whole.narrow(1, 4, 3)));
}

TEST(PositionalEncoding, IsABufferOrLearned) {
  const PositionalEncoding fixed(options()),
      learned(test::with(options(), &TransformerOptions::positions, Positions::kLearned));
  EXPECT_TRUE(fixed->parameters().empty());
  EXPECT_EQ(fixed->named_buffers().keys(), std::vector<std::string>{"pe"});
  EXPECT_EQ(learned->named_parameters().keys(), std::vector<std::string>{"pe"});
  EXPECT_TRUE(learned->buffers().empty());
}

TEST(PositionalEncoding, RefusesPositionsPastItsEnd) {
  PositionalEncoding positions(options());
  EXPECT_NO_THROW(positions(torch::zeros({1, 20, 6})));
  EXPECT_THROW(positions(torch::zeros({1, 21, 6})), std::invalid_argument);
  EXPECT_THROW(positions(torch::zeros({1, 1, 6}), 20), std::invalid_argument);
}

}  // namespace
}  // namespace ventris::nn
