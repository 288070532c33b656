#include "attention/fused_attention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "attention/multi_head_attention.h"
#include "kernels/element_kernels.h"
#include "nn/dropout.h"
#include "nn/masks.h"
#include "nn/random_scope.h"

namespace ventris::attention {
namespace {

using torch::Tensor;

constexpr int64_t kHeads = 4, kWidth = 32;

/// The same from products of whole tensors, with `factors` [batch, heads, q_len, k_len] in place of dropout.
Tensor unfused(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask, const Tensor& factors) {
  const auto split = [](const Tensor& x) { return x.view({x.size(0), x.size(1), kHeads, -1}).transpose(1, 2); };
  const Tensor scores =
      at::matmul(split(q), split(k).transpose(-2, -1)) / std::sqrt(static_cast<double>(q.size(2) / kHeads));
  const Tensor hidden = scores.masked_fill(mask.unsqueeze(1).logical_not(), -1e30);
  return at::matmul(hidden.softmax(-1) * factors, split(v)).transpose(1, 2).flatten(2);
}

Tensor numbers(at::IntArrayRef sizes) { return torch::randn(sizes).requires_grad_(); }

/// Widths of a head below, at and over that of a vector, whole and not; one key and more.
class CpuAttentionOfWidth : public testing::TestWithParam<std::tuple<int64_t, int64_t>> {};

TEST_P(CpuAttentionOfWidth, AgreesWithItsUnfusedTwinInResultAndGradients) {
  torch::manual_seed(1);
  const auto [width, keys] = GetParam();
  const Tensor source = torch::tensor({{5, 6, 7, 8, 3}, {9, 3, 0, 0, 0}}).narrow(1, 0, keys);
  const Tensor q = numbers({2, 3, width}), k = numbers({2, keys, width}), v = numbers({2, keys, width});
  const Tensor mask = nn::padding_mask(source, 0), weight = torch::randn({2, 3, width});
  constexpr int64_t kSeed = 77;
  for (const double p : {0.0, 0.3}) {
    Tensor factors = torch::ones({2, kHeads, 3, keys});
    if (p > 0) {  // element_kernels' draw of that seed, through the module that uses it
      const kernels::DropDraw draw(p, kSeed);
      kernels::element_kernels<float>().drop(factors.data_ptr<float>(), factors.data_ptr<float>(), 0, factors.numel(),
                                             draw);
    }
    const Tensor fused = cpu_attention({q, k, v}, kHeads, mask, p, kSeed);
    const Tensor plain = unfused(q, k, v, mask, factors);
    EXPECT_TRUE(torch::allclose(fused, plain, 1e-5, 1e-6));
    const auto found = torch::autograd::grad({(fused * weight).sum()}, {q, k, v});
    const auto expected = torch::autograd::grad({(plain * weight).sum()}, {q, k, v});
    for (size_t i = 0; i < 3; ++i) EXPECT_TRUE(torch::allclose(found[i], expected[i], 1e-4, 1e-6)) << p << " " << i;
  }
}

TEST_P(CpuAttentionOfWidth, MergedProjectionsGiveTheSameAsThree) {
  torch::manual_seed(2);
  const auto [width, unused] = GetParam();
  const Tensor q = numbers({2, 4, width}), k = numbers({2, 4, width}), v = numbers({2, 4, width});
  const Tensor mask = nn::subsequent_mask(4), kv = torch::cat({k, v}, 2), qkv = torch::cat({q, k, v}, 2);
  const Tensor three = cpu_attention({q, k, v}, kHeads, mask, 0.2, 5);
  const Tensor two = cpu_attention({q, kv, {}}, kHeads, mask, 0.2, 5);
  const Tensor one = cpu_attention({qkv, {}, {}}, kHeads, mask, 0.2, 5);
  EXPECT_TRUE(torch::equal(three, two));
  EXPECT_TRUE(torch::equal(three, one));
  const auto expected = torch::autograd::grad({three.pow(2).sum()}, {q, k, v});
  for (const Tensor& result : {two, one}) {
    const auto found = torch::autograd::grad({result.pow(2).sum()}, {q, k, v});
    for (size_t i = 0; i < 3; ++i) EXPECT_TRUE(torch::allclose(found[i], expected[i], 1e-5, 1e-6));
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, CpuAttentionOfWidth,
                         testing::Combine(testing::Values(4, 24, 32, 64, 80, 128), testing::Values(1, 5)));

TEST(CpuAttention, TheModuleTakesItWhereverItsWeightsAreNotAskedFor) {
  torch::manual_seed(3);
  MultiHeadAttention attention(MultiHeadAttentionOptions(kWidth, kHeads).dropout(0));
  const Tensor x = numbers({2, 5, kWidth}), memory = numbers({2, 7, kWidth}), other = numbers({2, 7, kWidth});
  for (const auto& [key, value] : {std::pair{memory, memory}, {memory, other}}) {
    const Tensor fused = attention(x, key, value), plain = attention->forward_with_weights(x, key, value).first;
    EXPECT_TRUE(torch::allclose(fused, plain, 1e-5, 1e-6));
  }
  const Tensor fused = attention(x, x, x, nn::subsequent_mask(5));
  const Tensor plain = attention->forward_with_weights(x, x, x, nn::subsequent_mask(5)).first;
  EXPECT_TRUE(torch::allclose(fused, plain, 1e-5, 1e-6));
  const auto parameters = attention->parameters();
  const auto found = torch::autograd::grad({fused.pow(2).sum()}, parameters);
  const auto expected = torch::autograd::grad({plain.pow(2).sum()}, parameters);
  for (size_t i = 0; i < parameters.size(); ++i) EXPECT_TRUE(torch::allclose(found[i], expected[i], 1e-4, 1e-5)) << i;
}

TEST(CpuAttention, InBf16ItAgreesToThatTypesRounding) {
  torch::manual_seed(4);
  const Tensor q = torch::randn({2, 9, kWidth}), k = torch::randn({2, 9, kWidth}), v = torch::randn({2, 9, kWidth});
  const auto half = [](const Tensor& x) { return x.to(torch::kBFloat16); };
  const Tensor found = cpu_attention({half(q), half(k), half(v)}, kHeads, nn::subsequent_mask(9), 0, 0);
  EXPECT_EQ(found.scalar_type(), torch::kBFloat16);
  EXPECT_TRUE(torch::allclose(found.to(torch::kFloat), cpu_attention({q, k, v}, kHeads, nn::subsequent_mask(9), 0, 0),
                              0.02, 0.02));
}

TEST(CpuAttention, AMaskIsBroadcastAsInTheUnfusedTwin) {
  torch::manual_seed(3);
  MultiHeadAttention attention(MultiHeadAttentionOptions(kWidth, kHeads).dropout(0));
  const Tensor x = numbers({2, 3, kWidth}), memory = numbers({2, 4, kWidth});
  const Tensor some = torch::tensor({1, 0, 1}).to(torch::kBool).view({1, 3, 1});  // queries that may look anywhere
  EXPECT_TRUE(torch::allclose(attention(x, memory, memory, some),
                              attention->forward_with_weights(x, memory, memory, some).first, 1e-5, 1e-6));
}

TEST(CpuAttention, RefusesSizesThatDoNotFit) {
  const auto ones = [](int64_t batch, int64_t len) { return torch::ones({batch, len, kWidth}); };
  const auto mask = [](std::vector<int64_t> sizes) { return torch::ones(sizes, torch::kBool); };
  const auto attend = [&](const Projections& projections, const Tensor& allowed) {
    return cpu_attention(projections, kHeads, allowed, 0, 0);
  };
  EXPECT_NO_THROW(attend({ones(2, 3), ones(2, 4), ones(2, 4)}, mask({1, 3, 4})));
  EXPECT_THROW(attend({ones(2, 3), ones(1, 4), ones(1, 4)}, {}), c10::Error);
  EXPECT_THROW(attend({ones(2, 3), ones(2, 4), ones(2, 5)}, {}), c10::Error);
  EXPECT_THROW(attend({ones(2, 3), ones(2, 4), ones(2, 4)}, mask({1, 3, 3})), c10::Error);
  EXPECT_THROW(attend({ones(2, 3), ones(2, 4), ones(2, 4)}, mask({3, 4})), c10::Error);
  EXPECT_THROW(attend({ones(2, 3), ones(2, 4), ones(2, 4)}, torch::ones({1, 3, 4})), c10::Error);
  EXPECT_THROW(cpu_attention({ones(2, 3), ones(2, 3), ones(2, 3)}, kWidth + 1, {}, 0, 0), c10::Error);
  const Tensor narrow = torch::ones({2, 4, kWidth / 2}), bf16 = ones(2, 4).to(torch::kBFloat16);
  EXPECT_THROW(attend({ones(2, 3), ones(2, 4), {}}, {}), c10::Error);  // keys without values
  EXPECT_THROW(attend({ones(2, 3), ones(2, 4), narrow}, {}), c10::Error);
  EXPECT_THROW(attend({ones(2, 3), narrow, ones(2, 4)}, {}), c10::Error);
  EXPECT_THROW(attend({ones(2, 3), ones(2, 4), bf16}, {}), c10::Error);
}

}  // namespace
}  // namespace ventris::attention
