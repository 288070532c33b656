#include "engine/layers.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/every_kernel_set.h"
#include "engine/plain_product.h"
#include "engine/random_numbers.h"

namespace ventris::engine {
namespace {

using architecture::TransformerOptions;
using test::at;
using test::RandomNumbers;

class LayersTest : public test::EveryKernelSet {
 protected:
  Workspace work_;
};
INSTANTIATE_EVERY_KERNEL_SET(LayersTest);

/// Queries, and keys and values side by side.
struct Attended {
  Attended(int64_t queries, int64_t positions, RandomNumbers& random) : rows(queries), len(positions) {
    options.heads = random.between(1, 4);
    options.d_k = random.between(1, 40);
    options.d_v = random.between(1, 40);
    stride = options.heads * (options.d_k + options.d_v) + random.between(0, 3);
    query_stride = options.heads * options.d_k + random.between(0, 3);
    query = random.values(rows * query_stride);
    memory = random.values(len * stride);
  }
  const float* values() const { return memory.data() + options.heads * options.d_k; }

  /// The attention weights of a row in a head, [len].
  std::vector<double> plain_weights(int64_t row, int64_t head) const {
    std::vector<double> weights(at(len));
    double sum = 0;
    for (int64_t j = 0; j < len; ++j) {
      double score = 0;
      for (int64_t i = head * options.d_k; i < (head + 1) * options.d_k; ++i) {
        score +=
            static_cast<double>(query[at(row * query_stride + i)]) * static_cast<double>(memory[at(j * stride + i)]);
      }
      sum += weights[at(j)] = std::exp(score);
    }
    for (double& weight : weights) weight /= sum;
    return weights;
  }
  /// Element `column` of the result [heads * d_v].
  double plain(int64_t row, int64_t column) const {
    const auto weights = plain_weights(row, column / options.d_v);
    double sum = 0;
    for (int64_t j = 0; j < len; ++j) sum += weights[at(j)] * static_cast<double>(values()[j * stride + column]);
    return sum;
  }

  TransformerOptions options;
  int64_t rows, len, stride = 0, query_stride = 0;
  std::vector<float> query, memory;
};

TEST_P(LayersTest, AttentionIsThatOfAPlainLoop) {
  RandomNumbers random(1);
  for (int round = 0; round < 40; ++round) {
    const Attended all(random.between(1, 13), random.between(1, 40), random);
    const int64_t width = all.options.heads * all.options.d_v;
    std::vector<float> packed(at(packed_size(all.options, all.len)), 1e30F);  // as left by others
    pack_keys_values(all.options, all.memory.data(), all.values(), all.stride, all.len, packed.data());
    std::vector<float> out(at(all.rows * width)), weights(at(all.rows * all.options.heads * all.len));
    attend(kernels(), all.options, all.query.data(), all.query_stride, all.rows, packed.data(), all.len, out.data(),
           work_, weights.data());
    for (int64_t i = 0; i < all.rows * width; ++i) {
      ASSERT_NEAR(out[at(i)], all.plain(i / width, i % width), 5e-5);
    }
    for (int64_t i = 0; i < all.rows * all.options.heads; ++i) {
      const auto expected = all.plain_weights(i / all.options.heads, i % all.options.heads);
      for (int64_t j = 0; j < all.len; ++j) ASSERT_NEAR(weights[at(i * all.len + j)], expected[at(j)], 5e-5);
    }
  }
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
  embed(kernels(), options, weights, ids, positions, x.data());
  EXPECT_EQ(x, (std::vector<float>{20, 32, 44, 56, 12, 24, 36, 48, 60, 72, 84, 96}));
}

TEST_P(LayersTest, NormsStandBeforeOrAfterABlock) {
  TransformerOptions options;
  options.d_model = 2;
  const Norm norm{{1, 1}, {0, 0}};
  for (const bool before : {true, false}) {
    options.norm = before ? architecture::NormPlace::kPre : architecture::NormPlace::kPost;
    std::vector<float> x{4, 8}, input;
    sublayer(kernels(), options, norm, x.data(), 1, work_, [&](const float* from) {
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

}  // namespace
}  // namespace ventris::engine
