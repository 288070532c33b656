#include "layers/packed_attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "arithmetic/every_kernel_set.h"
#include "arithmetic/plain_product.h"
#include "support/random_numbers.h"

namespace ventris::layers {
namespace {

using architecture::AttentionScore;
using architecture::TransformerOptions;
using test::at;
using test::RandomNumbers;

class AttentionTest : public test::EveryKernelSet {
 protected:
  Context context(const TransformerOptions& options) { return {kernels(), options, work_}; }

 private:
  Workspace work_;
};
INSTANTIATE_EVERY_KERNEL_SET(AttentionTest);

/// Queries, keys and values, and what attention makes of them in plain loops.
struct Attended {
  Attended(AttentionScore kind, RandomNumbers& random) : rows(random.between(1, 13)), len(random.between(1, 40)) {
    options.attention_score = kind;
    options.heads = random.between(1, 20);
    options.d_k = random.between(1, 40);
    options.d_v = random.between(1, 40);
    stride = options.heads * (options.d_k + options.d_v) + random.between(0, 3);
    query_stride = options.heads * options.d_k + random.between(0, 3);
    query = random.values(rows * query_stride);
    memory = random.values(len * stride);
    if (kind == AttentionScore::kCosine) score.lengths = random.values(options.heads);
    if (kind == AttentionScore::kAdditive) score.vector = random.values(options.heads * options.d_k);
  }
  float* values() { return memory.data() + options.heads * options.d_k; }

  double plain_score(int64_t row, int64_t head, int64_t key) const {
    double product = 0, active = 0, distance = 0, query_length = 0, key_length = 0;
    for (int64_t i = head * options.d_k; i < (head + 1) * options.d_k; ++i) {
      const auto q = static_cast<double>(query[at(row * query_stride + i)]);
      const auto k = static_cast<double>(memory[at(key * stride + i)]);
      product += q * k;
      if (!score.vector.empty()) active += static_cast<double>(score.vector[at(i)]) * std::tanh(q + k);
      distance += (q - k) * (q - k);
      query_length += q * q;
      key_length += k * k;
    }
    switch (options.attention_score) {
      case AttentionScore::kCosine:
        return product / std::sqrt(query_length * key_length) * static_cast<double>(score.lengths[at(head)]);
      case AttentionScore::kAdditive: return active;
      case AttentionScore::kGaussian: return -distance / 2;
      case AttentionScore::kScaledDot:  // factors of queries are a part of their projection
      case AttentionScore::kBilinear:
      case AttentionScore::kDot: break;
    }
    return product;
  }
  /// The attention weights of a row in a head, [len].
  std::vector<double> plain_weights(int64_t row, int64_t head) const {
    std::vector<double> weights(at(len));
    double largest = plain_score(row, head, 0), sum = 0;
    for (int64_t j = 0; j < len; ++j) largest = std::max(largest, weights[at(j)] = plain_score(row, head, j));
    for (double& weight : weights) sum += weight = std::exp(weight - largest);
    for (double& weight : weights) weight /= sum;
    return weights;
  }
  /// Element `column` of the result [heads * d_v], from a copy of the values.
  double plain(int64_t row, int64_t column) const {
    const auto weights = plain_weights(row, column / options.d_v);
    double sum = 0;
    for (int64_t j = 0; j < len; ++j) {
      sum += weights[at(j)] * static_cast<double>(memory[at(j * stride + options.heads * options.d_k + column)]);
    }
    return sum;
  }

  TransformerOptions options;
  Score score;
  int64_t rows, len, stride = 0, query_stride = 0;
  std::vector<float> query, memory;
};

constexpr AttentionScore kScores[] = {AttentionScore::kDot, AttentionScore::kCosine, AttentionScore::kAdditive,
                                      AttentionScore::kGaussian};

TEST_P(AttentionTest, IsThatOfAPlainLoopWithEveryScore) {
  RandomNumbers random(1);
  for (int round = 0; round < 80; ++round) {
    const Attended expected(kScores[round % 4], random);
    Attended all = expected;
    const int64_t width = all.options.heads * all.options.d_v;
    const Context with = context(all.options);
    prepare_queries(with, all.score, all.query.data(), all.query_stride, all.rows);
    prepare_keys(with, all.score, all.memory.data(), all.stride, all.len);
    std::vector<float> packed(at(packed_size(all.options, all.len)), 1e30F);  // as left by others
    pack_keys_values(with, all.memory.data(), all.values(), all.stride, all.len, packed.data());
    std::vector<float> out(at(all.rows * width)), weights(at(all.rows * all.options.heads * all.len));
    attend(with, all.score, {all.query.data(), all.query_stride, all.rows}, {packed.data(), all.len}, out.data(),
           weights.data());
    for (int64_t i = 0; i < all.rows * width; ++i) {
      ASSERT_NEAR(out[at(i)], expected.plain(i / width, i % width), 5e-5);
    }
    for (int64_t i = 0; i < all.rows * all.options.heads; ++i) {
      const auto wanted = expected.plain_weights(i / all.options.heads, i % all.options.heads);
      for (int64_t j = 0; j < all.len; ++j) ASSERT_NEAR(weights[at(i * all.len + j)], wanted[at(j)], 5e-5);
    }
  }
}

TEST_P(AttentionTest, AQueryThatSeesPositionsUpToItselfSeesASequenceThatEndsThere) {
  RandomNumbers random(5);
  for (int round = 0; round < 40; ++round) {
    Attended all(round % 2 == 0 ? AttentionScore::kDot : AttentionScore::kGaussian, random);
    all.rows = all.len;
    all.query = random.values(all.rows * all.query_stride);
    const int64_t width = all.options.heads * all.options.d_v;
    const Context with = context(all.options);
    std::vector<float> packed(at(packed_size(all.options, all.len))), out(at(all.rows * width)), alone(at(width));
    pack_keys_values(with, all.memory.data(), all.values(), all.stride, all.len, packed.data());
    attend_to_prefixes(with, {all.query.data(), all.query_stride, all.rows}, {packed.data(), all.len}, out.data());
    for (int64_t row = 0; row < all.rows; ++row) {
      pack_keys_values(with, all.memory.data(), all.values(), all.stride, row + 1, packed.data());
      const Queries query{all.query.data() + row * all.query_stride, all.query_stride, 1};
      attend(with, all.score, query, {packed.data(), row + 1}, alone.data());
      ASSERT_TRUE(std::equal(alone.begin(), alone.end(), out.begin() + row * width)) << "row " << row;
    }
  }
}

TEST_P(AttentionTest, EachRowIsTheSameAloneAndBeforeAnyOtherSequence) {
  RandomNumbers random(2);
  for (int round = 0; round < 40; ++round) {
    Attended all(kScores[round % 4], random);
    const int64_t width = all.options.heads * all.options.d_v, weight = all.options.heads * all.len;
    const Context with = context(all.options);
    prepare_keys(with, all.score, all.memory.data(), all.stride, all.len);
    std::vector<float> packed(at(packed_size(all.options, all.len)));
    pack_keys_values(with, all.memory.data(), all.values(), all.stride, all.len, packed.data());
    const PackedSequence sequence{packed.data(), all.len};
    std::vector<float> out(at(all.rows * width)), weights(at(all.rows * weight)), alone(at(width));
    attend(with, all.score, {all.query.data(), all.query_stride, all.rows}, sequence, out.data(), weights.data(),
           sequence);
    std::vector<float> weights_alone(at(weight));
    for (int64_t row = 0; row < all.rows; ++row) {
      attend(with, all.score, {all.query.data() + row * all.query_stride, all.query_stride, 1}, sequence, alone.data(),
             weights_alone.data());
      ASSERT_TRUE(std::equal(alone.begin(), alone.end(), out.begin() + row * width)) << all.rows << " rows";
      ASSERT_TRUE(std::equal(weights_alone.begin(), weights_alone.end(), weights.begin() + row * weight));
    }
  }
}

}  // namespace
}  // namespace ventris::layers
