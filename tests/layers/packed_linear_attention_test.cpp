#include "layers/packed_linear_attention.h"

#include <gtest/gtest.h>

#include "arithmetic/every_kernel_set.h"
#include "layers/plain_self_attention.h"

namespace ventris::layers {
namespace {

using architecture::TransformerOptions;
using test::RandomNumbers;

double feature(double x) { return x > 0 ? x + 1 : std::exp(x); }  // elu(x) + 1

/// The results of one query that sees the first keys: a mean of their values.
std::vector<double> plain_linear(const TransformerOptions& options, const PlainSelfAttention& plain, int64_t query,
                                 int64_t keys) {
  std::vector<double> out;
  for (int64_t head = 0; head < options.heads; ++head) {
    std::vector<double> sums(static_cast<size_t>(options.d_v), 0);
    double all = 0;
    for (int64_t key = 0; key < keys; ++key) {
      double weight = 0;
      for (int64_t i = 0; i < options.d_k; ++i) {
        weight += feature(plain.query(query, head, i)) * feature(plain.key(key, head, i));
      }
      all += weight;
      for (size_t i = 0; i < sums.size(); ++i) sums[i] += weight * plain.value(key, head, static_cast<int64_t>(i));
    }
    for (const double sum : sums) out.push_back(sum / all);
  }
  return out;
}

class LinearAttentionTest : public test::EveryKernelSet {
 protected:
  Workspace work;
};
INSTANTIATE_EVERY_KERNEL_SET(LinearAttentionTest);

TEST_P(LinearAttentionTest, IsAMeanOfAllValues) {
  RandomNumbers random(1);
  for (const int64_t len : {1, 2, 19, 50}) {
    const TransformerOptions options = random_heads(random);
    const PlainSelfAttention plain(options, len, random);
    std::vector<float> projected = plain.projected, out(static_cast<size_t>(len * plain.outputs()));
    LinearAttention({kernels(), options, work}).attend(projected.data(), len, out.data());
    for (int64_t query = 0; query < len; ++query) {
      const auto expected = plain_linear(options, plain, query, len);
      for (size_t i = 0; i < expected.size(); ++i) {
        ASSERT_NEAR(out[static_cast<size_t>(query) * expected.size() + i], expected[i], 1e-5);
      }
    }
  }
}

TEST_P(LinearAttentionTest, AStepOfADecoderSeesThePrefix) {
  RandomNumbers random(2);
  TransformerOptions options = random_heads(random);
  options.decoder_layers = 2;
  const PlainSelfAttention plain(options, 12, random);
  LinearSteps steps(kernels(), options);
  steps.add();
  std::vector<float> projected = plain.projected, out(static_cast<size_t>(plain.outputs()));
  for (int64_t query = 0; query < 12; ++query) {
    const auto expected = plain_linear(options, plain, query, query + 1);
    steps.attend(1, projected.data() + query * plain.stride(), 1, out.data());
    for (size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(out[i], expected[i], 1e-5) << query;
  }
}

TEST(PrefixSums, FollowTheirRowsAndCopiesAreTheirOwn) {
  PrefixSums sums(2, 1);
  for (int row = 0; row < 3; ++row) {
    sums.add();
    for (size_t layer = 0; layer < 2; ++layer)
      *sums.of(layer, static_cast<size_t>(row)) = static_cast<float>(10 * layer) + static_cast<float>(row);
  }
  sums.follow(std::vector<int32_t>{2, 0, 2});
  EXPECT_EQ(*sums.of(0, 0), 2);
  EXPECT_EQ(*sums.of(1, 1), 10);
  EXPECT_EQ(*sums.of(1, 2), 12);
  *sums.of(0, 2) = 7;
  EXPECT_EQ(*sums.of(0, 0), 2) << "two rows of one parent do not share their sums";
}

TEST(PrefixSums, PlacesAreUsedAgainAndStartWithZeros) {
  PrefixSums sums(1, 1);
  for (int row = 0; row < 2; ++row) {
    sums.add();
    *sums.of(0, static_cast<size_t>(row)) = 5;
  }
  const float* dropped = sums.of(0, 1);
  sums.follow(std::vector<int32_t>{0});
  sums.add();
  EXPECT_EQ(sums.of(0, 1), dropped);
  EXPECT_EQ(*sums.of(0, 1), 0);
  sums.clear();
  sums.add();
  EXPECT_EQ(*sums.of(0, 0), 0);
}

TEST(LinearAttentionNeeds, ARowHasItsSumsInEachLayer) {
  TransformerOptions options;
  options.heads = 2;
  options.d_k = 3;
  options.d_v = 4;
  options.decoder_layers = 5;
  EXPECT_EQ(LinearSteps::needs(options).row, 3 * 2 * 4 * 5 * (2 * 3 * 5) / 2 + 128 * 5);
}

}  // namespace
}  // namespace ventris::layers
