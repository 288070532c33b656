#include "attention/gpu_attention.h"

#include <gtest/gtest.h>

#include <cmath>

#include "attention/fused_attention.h"
#include "nn/dropout.h"
#include "nn/masks.h"

namespace ventris::nn {
namespace {

using torch::Tensor;

constexpr int64_t kHeads = 4, kWidth = 32;

class GpuAttention : public testing::Test {
 protected:
  void SetUp() override {
    if (!torch::cuda::is_available()) GTEST_SKIP() << "this machine has no GPU, or this LibTorch does not use it";
    torch::manual_seed(1);
  }

  /// q_len 3, k_len 5.
  Tensor numbers(int64_t length) const { return torch::randn({2, length, kWidth}).requires_grad_(); }

  /// [batch, len, width] on the CPU -> [batch, heads, len, width / heads] on the GPU
  static Tensor split(const Tensor& x) { return x.cuda().view({x.size(0), x.size(1), kHeads, -1}).transpose(1, 2); }
};

TEST_F(GpuAttention, AgreesWithThatOfTheCpuInResultAndGradients) {
  const Tensor q = numbers(3), k = numbers(5), v = numbers(5), weight = torch::randn({2, 3, kWidth});
  const Tensor padding = padding_mask(torch::tensor({{5, 6, 7, 8, 3}, {9, 3, 0, 0, 0}}), 0);
  const Tensor per_query = torch::rand({2, 3, 5}).gt(0.4).index_put_({torch::indexing::Slice(), 1}, true);
  Tensor blind = torch::ones({2, 3, 5}, torch::kBool);
  blind[0][1].fill_(false);  // a query with nowhere to look
  blind[1].fill_(false);
  for (const Tensor& mask : {Tensor(), padding, per_query, blind}) {
    const Tensor expected = attention::cpu_attention({q, k, v}, kHeads, mask, 0, 0);
    const Tensor found =
        attention::gpu_attention(split(q), split(k), split(v), mask.defined() ? mask.cuda() : Tensor(), 0)
            .to(torch::kCPU);
    EXPECT_TRUE(torch::allclose(found, expected, 1e-4, 1e-5)) << found - expected;
    const auto gradients = torch::autograd::grad({(found * weight).sum()}, {q, k, v});
    const auto known = torch::autograd::grad({(expected * weight).sum()}, {q, k, v});
    for (size_t i = 0; i < 3; ++i) EXPECT_TRUE(torch::allclose(gradients[i], known[i], 1e-3, 1e-5)) << i;
  }
}

/// Blocks of keys that add up in any order would differ.
TEST_F(GpuAttention, LongSentencesHaveTheSameGradientsEachTime) {
  const auto random = [] { return torch::randn({2, kHeads, 700, 64}).cuda().to(torch::kBFloat16); };
  const Tensor q = random().requires_grad_(), k = random().requires_grad_(), v = random().requires_grad_();
  Tensor mask = torch::ones({2, 1, 700}, torch::kBool).cuda();
  mask[1].slice(-1, 650).fill_(false);
  const auto gradients = [&] {
    torch::manual_seed(3);
    return torch::autograd::grad({attention::gpu_attention(q, k, v, mask, 0.1).to(torch::kFloat32).sum()}, {q, k, v});
  };
  const auto first = gradients();
  for (int time = 0; time < 10; ++time) {
    const auto again = gradients();
    for (size_t i = 0; i < 3; ++i) EXPECT_TRUE(torch::equal(first[i], again[i])) << i;
  }
}

TEST_F(GpuAttention, DropsWeightsWithTheWantedProbability) {
  const Tensor q = torch::zeros({64, kHeads, 32, 8}).cuda(), v = torch::ones({64, kHeads, 32, 8}).cuda();
  const Tensor mask = torch::ones({1, 1, 32}, torch::kBool).cuda();
  const Tensor found = attention::gpu_attention(q, q, v, mask, 0.25);  // each is the mean of 32 factors 0 or 1 / 0.75
  EXPECT_NEAR(found.mean().item<double>(), 1, 0.01);
  EXPECT_NEAR(found.std().item<double>(), std::sqrt(0.25 / 0.75 / 32), 0.01);
}

TEST_F(GpuAttention, TheSeedOfTheDeviceDecidesWhatDropoutDrops) {
  Dropout dropout(0.3);
  const Tensor x = torch::ones({1000}).cuda();
  const auto draw = [&](uint64_t seed) {
    torch::manual_seed(seed);
    return dropout(x);
  };
  const Tensor first = draw(1);
  EXPECT_TRUE(torch::equal(first, draw(1)));
  EXPECT_FALSE(torch::equal(first, draw(2)));
  EXPECT_NEAR(first.mean().item<double>(), 1, 0.1);
}

}  // namespace
}  // namespace ventris::nn
