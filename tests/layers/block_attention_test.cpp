#include "layers/block_attention.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "architecture/sinusoids.h"
#include "arithmetic/every_kernel_set.h"
#include "layers/plain_self_attention.h"

namespace ventris::layers {
namespace {

using architecture::TransformerOptions;
using test::RandomNumbers;

/// Compares the attention that `Kind` computes with plain loops.
class BlockAttention : public test::EveryKernelSet {
 protected:
  template <typename Kind>
  std::vector<float> attended(const TransformerOptions& options, const SelfAttentionWeights& weights,
                              const PlainSelfAttention& plain, int64_t len) {
    Kind attention({kernels(), options, work_}, weights);
    std::vector<float> projected = plain.projected, out(static_cast<size_t>(len * plain.outputs()), 1e30F);
    attention.attend(projected.data(), len, out.data());
    return out;
  }
  static void expect_near(const std::vector<float>& found, const std::vector<double>& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], 1e-4) << i;
  }

 private:
  Workspace work_;
};
INSTANTIATE_EVERY_KERNEL_SET(BlockAttention);

TEST_P(BlockAttention, AWindowSeesItsNeighboursAndTheGlobalPositionsBothWays) {
  RandomNumbers random(1);
  for (int round = 0; round < 40; ++round) {
    TransformerOptions options = random_heads(random);
    options.window = random.between(1, 30);
    options.global_positions = random.between(0, 4);
    const int64_t len = random.between(1, 90), window = options.window, globals = options.global_positions;
    const PlainSelfAttention plain(options, len, random);
    const auto expected = plain.attended([&](int64_t query, int64_t key) {
      return std::abs(query - key) <= window || query < globals || key < globals;
    });
    expect_near(attended<WindowAttention>(options, {}, plain, len), expected);
  }
}

TEST_P(BlockAttention, AWindowHasTheTermsOfKeys) {
  RandomNumbers random(2);
  TransformerOptions options = random_heads(random);
  options.attention_score = architecture::AttentionScore::kGaussian;
  options.window = 3;
  options.global_positions = 1;
  const PlainSelfAttention plain(options, 33, random);
  const auto score = [&](int64_t head, int64_t query, int64_t key) {
    double distance = 0;
    for (int64_t i = 0; i < options.d_k; ++i) {
      distance += std::pow(plain.query(query, head, i) - plain.key(key, head, i), 2);
    }
    return -distance / 2;
  };
  const auto expected = plain.attended(
      [](int64_t query, int64_t key) { return std::abs(query - key) <= 3 || query < 1 || key < 1; }, score);
  expect_near(attended<WindowAttention>(options, {}, plain, 33), expected);
}

TEST_P(BlockAttention, ASegmentSeesItselfAndItsMemoryWithTheTermsOfDistances) {
  RandomNumbers random(3);
  for (int round = 0; round < 20; ++round) {
    TransformerOptions options = random_heads(random);
    options.segment = random.between(1, 20);
    options.segment_memory = random.between(0, 20);
    options.d_model = 2 * random.between(1, 6);
    options.max_positions = 100;
    const int64_t len = random.between(1, 70), keys = key_size(options), width = options.d_model;
    const std::vector<float> w = random.values(keys * width), content = random.values(keys),
                             distance = random.values(keys);
    SelfAttentionWeights weights;
    weights.distances = Matrix(w.data(), nullptr, keys, width, arithmetic::Precision::kF32);
    weights.content_bias = content;
    weights.distance_bias = distance;
    const PlainSelfAttention plain(options, len, random);
    const auto score = [&](int64_t head, int64_t query, int64_t key) {
      std::vector<float> vector(static_cast<size_t>(width));
      architecture::sinusoids(query - key, width, vector.data());
      double sum = 0;
      for (int64_t i = 0; i < options.d_k; ++i) {
        const auto at = static_cast<size_t>(head * options.d_k + i);
        double of_distance = 0;  // W R
        for (size_t j = 0; j < vector.size(); ++j) of_distance += w[at * vector.size() + j] * vector[j];
        sum += (plain.query(query, head, i) + content[at]) * plain.key(key, head, i) +
               (plain.query(query, head, i) + distance[at]) * of_distance;
      }
      return sum;
    };
    const auto expected = plain.attended(
        [&](int64_t query, int64_t key) {
          const int64_t first = query / options.segment * options.segment;
          return key >= first - options.segment_memory && key < first + options.segment;
        },
        score);
    expect_near(attended<SegmentAttention>(options, weights, plain, len), expected);
  }
}

TEST(BlockAttentionNeeds, GrowWithTheWindowAndWithTheDistancesOfSegments) {
  TransformerOptions options;
  options.window = 8;
  const int64_t narrow = WindowAttention::needs(options).fixed;
  EXPECT_EQ(narrow, int64_t{3} * 4 * 48 * (2 * 8 + 48 + arithmetic::kPanel) / 2) << "48 queries, half as much again";
  options.global_positions = 2;
  EXPECT_EQ(WindowAttention::needs(options).fixed, narrow + int64_t{3} * 4 * 48 * 2 / 2);
  options.segment = 16;
  const int64_t segments = SegmentAttention::needs(options).fixed;
  options.segment_memory = 16;
  EXPECT_GT(SegmentAttention::needs(options).fixed, segments);
}

}  // namespace
}  // namespace ventris::layers
