#include "kernels/attention_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>

#include "kernels/random_values.h"

namespace ventris::kernels {
namespace {

using test::factors_of;
using test::narrow;
using test::random_values;
using test::widen;

/// A case and what the formulas of the paper give for it, in doubles and without any cleverness.
template <typename T>
struct Case {
  Case(int64_t q_len, int64_t k_len, int64_t d_head, double p)
      : shape{3, 2, q_len, k_len, d_head, 2 * d_head, 2 * d_head, 2 * d_head},
        draw(p, 5),
        q(narrow<T>(random_values(3 * q_len * 2 * d_head, 1))),
        k(narrow<T>(random_values(3 * k_len * 2 * d_head, 2))),
        v(narrow<T>(random_values(3 * k_len * 2 * d_head, 3))),
        of_out(narrow<T>(random_values(3 * q_len * 2 * d_head, 4))),
        allowed(std::make_unique<bool[]>(static_cast<size_t>(3 * q_len * k_len))) {
    for (int64_t i = 0; i < 3 * q_len * k_len; ++i)
      allowed[static_cast<size_t>(i)] = (i * 7) % 5 != 0 && i / k_len != 1;
    mask = {allowed.get(), q_len * k_len, k_len};
  }

  AttentionInputs<T> inputs(const AttentionMask& looks) const {
    return {shape, q.data(), k.data(), v.data(), looks, draw};
  }

  /// out, then the gradients of q, k and v.
  std::vector<std::vector<double>> expected() const {
    std::vector<std::vector<double>> result{std::vector<double>(q.size()), std::vector<double>(q.size()),
                                            std::vector<double>(k.size()), std::vector<double>(v.size())};
    const auto factors = factors_of(draw, shape.batch * shape.heads * shape.q_len * shape.k_len);
    for (int64_t row = 0; row < shape.batch * shape.heads * shape.q_len; ++row) one_query(row, factors, result);
    return result;
  }

  AttentionShape shape;
  DropDraw draw;
  std::vector<T> q, k, v, of_out;
  std::unique_ptr<bool[]> allowed;
  AttentionMask mask;

 private:
  void one_query(int64_t row, const std::vector<float>& factors, std::vector<std::vector<double>>& result) const {
    const int64_t i = row % shape.q_len, index = row / shape.q_len, keys = shape.k_len, width = shape.d_head;
    const int64_t sentence = index / shape.heads, column = index % shape.heads * width;
    const auto at = [&](int64_t length, int64_t place, int64_t d) {
      return static_cast<size_t>((sentence * length + place) * 2 * width + column + d);
    };
    const double scale = 1 / std::sqrt(static_cast<double>(width));
    std::vector<double> weights(static_cast<size_t>(keys)), of_weights(weights.size());
    double sum = 0, mean = 0;
    for (int64_t j = 0; j < keys; ++j) {
      double score = 0;
      for (int64_t d = 0; d < width; ++d) score += widen(q[at(shape.q_len, i, d)]) * widen(k[at(keys, j, d)]) * scale;
      const bool looks = allowed[static_cast<size_t>((sentence * shape.q_len + i) * keys + j)];
      sum += weights[static_cast<size_t>(j)] = looks ? std::exp(score) : 0;
    }
    for (int64_t j = 0; j < keys; ++j) {
      auto& weight = weights[static_cast<size_t>(j)];
      weight = sum > 0 ? weight / sum : 0;
      const double factor = factors[static_cast<size_t>(row * keys + j)];
      for (int64_t d = 0; d < width; ++d) {
        const double outer = widen(of_out[at(shape.q_len, i, d)]);
        result[0][at(shape.q_len, i, d)] += weight * factor * widen(v[at(keys, j, d)]);
        result[3][at(keys, j, d)] += weight * factor * outer;
        of_weights[static_cast<size_t>(j)] += outer * widen(v[at(keys, j, d)]) * factor;
      }
      mean += weight * of_weights[static_cast<size_t>(j)];
    }
    for (int64_t j = 0; j < keys; ++j) {
      const double of_score = weights[static_cast<size_t>(j)] * (of_weights[static_cast<size_t>(j)] - mean) * scale;
      for (int64_t d = 0; d < width; ++d) {
        result[1][at(shape.q_len, i, d)] += of_score * widen(k[at(keys, j, d)]);
        result[2][at(keys, j, d)] += of_score * widen(q[at(shape.q_len, i, d)]);
      }
    }
  }
};

template <typename T>
class AttentionKernelsTest : public testing::Test {
 protected:
  static constexpr double kTolerance = sizeof(T) == 2 ? 0.02 : 1e-5;

  static void expect_close(const std::vector<T>& found, const std::vector<double>& expected, const char* what) {
    for (size_t i = 0; i < found.size(); ++i) {
      ASSERT_NEAR(widen(found[i]), expected[i], kTolerance * (1 + std::abs(expected[i]))) << what << " " << i;
    }
  }

  static void check(const Case<T>& test) {
    const auto& kernels = attention_kernels<T>();
    const int64_t problems = test.shape.batch * test.shape.heads;
    std::vector<T> out(test.q.size()), of_q(test.q.size()), of_k(test.k.size()), of_v(test.v.size());
    std::vector<float> log_sums(static_cast<size_t>(problems * test.shape.q_len));
    const auto expected = test.expected();
    for (const auto& [first, last] : {std::pair<int64_t, int64_t>{0, 1}, {1, problems}}) {  // as threads share it
      kernels.forward(test.inputs(test.mask), first, last, out.data(), log_sums.data());
      kernels.backward(test.inputs(test.mask), first, last, log_sums.data(), test.of_out.data(),
                       {of_q.data(), of_k.data(), of_v.data()});
    }
    expect_close(out, expected[0], "out");
    expect_close(of_q, expected[1], "gradient of q");
    expect_close(of_k, expected[2], "gradient of k");
    expect_close(of_v, expected[3], "gradient of v");
  }
};
using Types = testing::Types<float, BFloat16>;
TYPED_TEST_SUITE(AttentionKernelsTest, Types);

TYPED_TEST(AttentionKernelsTest, IsWhatTheFormulasGiveForAnyShape) {
  for (const int64_t q_len : {1, 7, 64, 131}) {
    for (const int64_t k_len : {2, 19, 70}) {
      for (const int64_t d_head : {5, 8, 32, 40}) this->check(Case<TypeParam>(q_len, k_len, d_head, 0));
    }
  }
}

TYPED_TEST(AttentionKernelsTest, DropsTheWeightsOfItsDraw) { this->check(Case<TypeParam>(21, 33, 16, 0.3)); }

TYPED_TEST(AttentionKernelsTest, AQueryWithNowhereToLookGivesZerosAndNoGradient) {
  const Case<TypeParam> test(4, 6, 8, 0);
  const auto expected = test.expected();
  for (size_t d = 0; d < 16; ++d) EXPECT_EQ(expected[0][16 + d], 0);  // query 1 of the first sentence
  this->check(test);
}

TEST(AttentionKernels, WithoutAMaskEverythingIsSeen) {
  Case<float> test(5, 6, 8, 0);
  std::fill_n(test.allowed.get(), 3 * 5 * 6, true);
  std::vector<float> masked(test.q.size()), open(test.q.size());
  const auto run = [&](const AttentionMask& mask, std::vector<float>& out) {
    attention_kernels<float>().forward(test.inputs(mask), 0, 6, out.data(), nullptr);
  };
  run(test.mask, masked);
  run({}, open);
  EXPECT_EQ(masked, open);
}

}  // namespace
}  // namespace ventris::kernels
