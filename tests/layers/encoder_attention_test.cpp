#include "layers/encoder_attention.h"

#include <gtest/gtest.h>

#include "arithmetic/every_kernel_set.h"
#include "layers/block_attention.h"
#include "layers/packed_linear_attention.h"
#include "layers/plain_self_attention.h"

namespace ventris::layers {
namespace {

using architecture::SelfAttention;
using architecture::TransformerOptions;
using test::RandomNumbers;

class EncoderAttentionTest : public test::EveryKernelSet {
 protected:
  void expect_near(const TransformerOptions& options, const SelfAttentionWeights& weights,
                   const PlainSelfAttention& plain, int64_t len, const std::vector<double>& expected) {
    const auto attention = make_encoder_attention({kernels(), options, work_}, weights);
    std::vector<float> projected = plain.projected, out(expected.size(), 1e30F);
    attention->attend(projected.data(), len, out.data());
    for (size_t i = 0; i < out.size(); ++i) ASSERT_NEAR(out[i], expected[i], 1e-4) << i;
  }

 private:
  Workspace work_;
};
INSTANTIATE_EVERY_KERNEL_SET(EncoderAttentionTest);

bool sees_all(int64_t /*query*/, int64_t /*key*/) { return true; }

TEST_P(EncoderAttentionTest, EveryPositionSeesAll) {
  RandomNumbers random(1);
  for (const int64_t len : {1, 2, 17, 40}) {
    const TransformerOptions options = random_heads(random);
    const PlainSelfAttention plain(options, len, random);
    expect_near(options, {}, plain, len, plain.attended(sees_all));
  }
}

TEST_P(EncoderAttentionTest, DistancesAddTheirTermsToScores) {
  RandomNumbers random(2);
  TransformerOptions options = random_heads(random);
  const architecture::RelativeBuckets buckets{8, 12, true};
  const std::vector<float> table = random.values(buckets.count * options.heads);
  SelfAttentionWeights weights;
  weights.relative_bias = std::make_shared<const RelativeBias>(buckets, options.heads, table.data());
  const PlainSelfAttention plain(options, 30, random);
  const auto expected = plain.attended(sees_all, [&](int64_t head, int64_t query, int64_t key) {
    std::vector<float> terms(30);
    weights.relative_bias->write(head, query, 30, terms.data());
    return plain.product(head, query, key) + terms[static_cast<size_t>(key)];
  });
  expect_near(options, weights, plain, 30, expected);
}

TEST_P(EncoderAttentionTest, RotatedQueriesAndKeysDependOnTheirDistanceOnly) {
  RandomNumbers random(3);
  TransformerOptions options = random_heads(random);
  options.d_k = 6;
  SelfAttentionWeights weights;
  weights.rotation = std::make_shared<const Rotation>(6);
  const PlainSelfAttention plain(options, 20, random);
  const auto expected = plain.attended(sees_all, [&](int64_t head, int64_t query, int64_t key) {
    double sum = 0;  // of pairs as complex numbers: Re(q conj(k) exp(i f (query - key)))
    for (int64_t i = 0; i < 6; i += 2) {
      const double angle = static_cast<double>(query - key) * std::pow(10000.0, -static_cast<double>(i) / 6);
      const double a = plain.query(query, head, i), b = plain.query(query, head, i + 1), c = plain.key(key, head, i),
                   d = plain.key(key, head, i + 1);
      sum += (a * c + b * d) * std::cos(angle) + (a * d - b * c) * std::sin(angle);
    }
    return sum;
  });
  expect_near(options, weights, plain, 20, expected);
}

TEST_P(EncoderAttentionTest, LowRankAttentionSeesMixturesOfAllPositions) {
  RandomNumbers random(4);
  TransformerOptions options = random_heads(random);
  options.self_attention = SelfAttention::kLowRank;
  options.low_rank_size = 5;
  options.max_positions = 30;
  const int64_t len = 23;
  const std::vector<float> of_keys = random.values(int64_t{5} * 30), of_values = random.values(int64_t{5} * 30);
  SelfAttentionWeights weights;
  weights.key_mixtures = of_keys;
  weights.value_mixtures = of_values;
  const PlainSelfAttention plain(options, len, random);
  std::vector<double> expected;
  for (int64_t query = 0; query < len; ++query) {
    for (int64_t head = 0; head < options.heads; ++head) {
      std::vector<double> mixed(static_cast<size_t>(options.d_v), 0);
      double sum = 0;
      for (size_t row = 0; row < 5; ++row) {
        double score = 0;
        std::vector<double> values(mixed.size(), 0);
        for (int64_t position = 0; position < len; ++position) {
          const size_t at = row * 30 + static_cast<size_t>(position);
          score += of_keys[at] * plain.product(head, query, position);
          for (int64_t i = 0; i < options.d_v; ++i) {
            values[static_cast<size_t>(i)] += of_values[at] * plain.value(position, head, i);
          }
        }
        sum += std::exp(score / 8);
        for (size_t i = 0; i < mixed.size(); ++i) mixed[i] += std::exp(score / 8) * values[i];
      }
      for (const double value : mixed) expected.push_back(value / sum);
    }
  }
  PlainSelfAttention smaller = plain;  // so that exp() of sums of 23 positions stays small
  for (int64_t position = 0; position < len; ++position) {
    for (int64_t i = 0; i < key_size(options); ++i)
      smaller.projected[static_cast<size_t>(position * plain.stride() + i)] /= 8;
  }
  expect_near(options, weights, smaller, len, expected);
}

TEST(EncoderAttentionKinds, AreThoseOfTheSettings) {
  Workspace work;
  const SelfAttentionWeights weights;
  const auto made = [&](const TransformerOptions& options) {
    return make_encoder_attention({*arithmetic::available_kernels().front(), options, work}, weights);
  };
  TransformerOptions options;
  EXPECT_EQ(dynamic_cast<const WindowAttention*>(made(options).get()), nullptr);
  options.self_attention = SelfAttention::kWindow;
  EXPECT_NE(dynamic_cast<const WindowAttention*>(made(options).get()), nullptr);
  options.self_attention = SelfAttention::kSegment;
  options.segment = 4;
  EXPECT_NE(dynamic_cast<const SegmentAttention*>(made(options).get()), nullptr);
  options.self_attention = SelfAttention::kLinear;
  EXPECT_NE(dynamic_cast<const LinearAttention*>(made(options).get()), nullptr);
}

TEST(EncoderAttentionNeeds, AreThoseOfAPackedSequenceItsScoresAndItsKind) {
  TransformerOptions options;
  options.heads = 2;
  options.d_k = options.d_v = arithmetic::kPanel;
  const auto full = encoder_attention_needs(options);
  const int64_t scores = 4 * arithmetic::packed_scores_size(arithmetic::kPanel);  // bytes, for a panel of positions
  EXPECT_EQ(full.encoded_token, 3 * (4 * packed_width(options).both() + scores / arithmetic::kPanel) / 2);
  EXPECT_EQ(full.encoded_weight, 6);
  EXPECT_EQ(full.fixed, 3 * scores / 2);
  options.self_attention = SelfAttention::kSsru;
  EXPECT_EQ(encoder_attention_needs(options).encoded_token, full.encoded_token) << "only decoders have an SSRU";
  options.self_attention = SelfAttention::kWindow;
  options.window = 4;
  EXPECT_EQ(encoder_attention_needs(options).fixed, full.fixed + WindowAttention::needs(options).fixed);
}

}  // namespace
}  // namespace ventris::layers
