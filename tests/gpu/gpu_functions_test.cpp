#include "gpu/gpu_functions.h"

#include <gtest/gtest.h>

#include <vector>

#include "gpu/gpu_program.h"
#include "nn/loss.h"

/// The operations of a GPU's kernels, compared with LibTorch's on the same numbers.
namespace ventris::gpu {
namespace {

using torch::Tensor;

const kernels::DropDraw kDraw(0.3, 0x123456789abcdefULL);

class GpuFunctions : public testing::Test {
 protected:
  void SetUp() override {
    if (!torch::cuda::is_available()) GTEST_SKIP() << "this machine has no GPU, or this LibTorch does not use it";
    torch::manual_seed(1);
    ASSERT_TRUE(has_kernels(torch::zeros({1}, torch::kCUDA)));
  }

  static Tensor numbers(at::IntArrayRef sizes, torch::ScalarType type = torch::kFloat) {
    return torch::randn(sizes, torch::kCUDA).to(type).requires_grad_();
  }

  /// 0 or the draw's scale for each element.
  static Tensor factors(const Tensor& x) { return drop(torch::ones(x.sizes(), torch::kCUDA), kDraw); }
};

double tolerance(const Tensor& x) { return x.scalar_type() == torch::kFloat ? 1e-5 : 1e-2; }

void expect_close(const Tensor& found, const Tensor& expected, double relative, const char* what) {
  ASSERT_EQ(found.sizes(), expected.sizes()) << what;
  const Tensor a = found.to(torch::kDouble), b = expected.to(torch::kDouble);
  EXPECT_LE((a - b).norm().item<double>(), relative * (b.norm().item<double>() + 1e-6)) << what;
}

/// Also the gradients of `inputs`, for a random gradient of the results.
void expect_same(const Tensor& found, const Tensor& expected, const std::vector<Tensor>& inputs, double relative) {
  expect_close(found, expected, relative, "result");
  const Tensor outer = torch::randn(found.sizes(), torch::kCUDA);
  const auto some = torch::autograd::grad({(found.to(torch::kFloat) * outer).sum()}, inputs);
  const auto others = torch::autograd::grad({(expected.to(torch::kFloat) * outer).sum()}, inputs);
  for (size_t i = 0; i < inputs.size(); ++i) expect_close(some[i], others[i], relative, "gradient");
}

/// Sizes with a number of elements that 4 divides, and others.
const std::vector<std::vector<int64_t>> kSizes{{64, 512}, {3, 7, 5}, {1}, {1000, 37}};

TEST_F(GpuFunctions, DropKeepsTheShareOfElementsAndTheMean) {
  const Tensor kept = factors(torch::empty({1000, 1000}));
  EXPECT_NEAR(kept.gt(0).to(torch::kFloat).mean().item<double>(), 0.7, 2e-3);
  EXPECT_NEAR(kept.mean().item<double>(), 1, 3e-3);
}

TEST_F(GpuFunctions, DroppingIsAProductWithTheFactorsOfTheDraw) {
  for (const auto& sizes : kSizes) {
    for (const auto type : {torch::kFloat, torch::kBFloat16}) {
      const Tensor x = numbers(sizes, type), y = numbers(sizes), mask = factors(x);
      expect_same(drop(x, kDraw), x * mask, {x}, tolerance(x));
      expect_same(add_dropped(y, x, kDraw), y + x * mask, {x, y}, tolerance(x));
      expect_same(relu_dropped(x, kDraw), at::relu(x) * mask, {x}, tolerance(x));
    }
  }
}

TEST_F(GpuFunctions, ViewsAreReadAsTheyLie) {
  const Tensor whole = numbers({6, 13});
  const Tensor x = whole.narrow(1, 1, 8), mask = factors(torch::empty({6, 8}));
  expect_same(drop(x, kDraw), x * mask, {whole}, 1e-5);
  expect_same(relu_dropped(x.t(), kDraw), at::relu(x.t()) * mask.view({8, 6}), {whole}, 1e-5);
}

TEST_F(GpuFunctions, ANormsBranchAddsBothGradients) {
  for (const auto& [rows, width] : {std::pair<int64_t, int64_t>{300, 512}, {5, 130}, {1, 7}, {2000, 1024}}) {
    for (const auto type : {torch::kFloat, torch::kBFloat16}) {
      const Tensor x = numbers({rows, width}), gain = numbers({width}), bias = numbers({width});
      const auto [base, normal] = norm_branch(x * 3 + 1, gain, bias, 1e-5, type);
      const Tensor scaled = x * 3 + 1, expected = at::layer_norm(scaled, {width}, gain, bias, 1e-5);
      EXPECT_EQ(normal.scalar_type(), type);
      expect_same(at::cat({base, normal.to(torch::kFloat)}), at::cat({scaled, expected}), {x, gain, bias},
                  type == torch::kFloat ? 1e-4 : 1e-2);
      const Tensor alone = norm_branch(scaled, gain, bias, 1e-5, type).second;
      expect_same(alone, at::layer_norm(scaled, {width}, gain, bias, 1e-5), {x, gain, bias},
                  type == torch::kFloat ? 1e-4 : 1e-2);
    }
  }
}

TEST_F(GpuFunctions, ALinearLayerInBf16HasGradientsOfItsWeightsInF32) {
  for (const auto type : {torch::kFloat, torch::kBFloat16}) {
    const Tensor x = numbers({3, 50, 64}, type), weight = numbers({96, 64}), bias = numbers({96});
    const Tensor found = bf16_linear(x, weight, bias);
    EXPECT_EQ(found.scalar_type(), torch::kBFloat16);
    expect_same(found, at::linear(x.to(torch::kFloat), weight, bias), {x, weight, bias}, 1e-2);
    expect_same(bf16_linear(x, weight, {}), at::linear(x.to(torch::kFloat), weight), {x, weight}, 1e-2);
  }
}

TEST_F(GpuFunctions, TheSmoothedLossIsThatOfTheCpu) {
  constexpr int64_t kPad = 0;
  for (const int64_t vocab : {37, 8000, 32001}) {
    for (const double smoothing : {0.0, 0.1}) {
      for (const auto type : {torch::kFloat, torch::kBFloat16}) {
        const Tensor logits = (torch::randn({50, vocab}, torch::kCUDA) * 5).to(type).requires_grad_();
        const Tensor targets = torch::randint(vocab, {50}, torch::dtype(torch::kLong).device(torch::kCUDA))
                                   .index_fill_(0, torch::tensor({3, 9}, torch::kCUDA), kPad);
        const Tensor weights = torch::rand({50}, torch::kCUDA);
        const Tensor on_cpu = logits.detach().to(torch::kCPU, torch::kFloat).requires_grad_();
        const auto found = nn::label_smoothed_loss(logits, targets, smoothing, kPad, weights);
        const auto expected = nn::label_smoothed_loss(on_cpu, targets.cpu(), smoothing, kPad, weights.cpu());
        EXPECT_NEAR(found.loss.item<double>() / expected.loss.item<double>(), 1, 1e-4);
        EXPECT_NEAR(found.nll.item<double>() / expected.nll.item<double>(), 1, 1e-4);
        (found.loss * 0.5).backward();
        (expected.loss * 0.5).backward();
        expect_close(logits.grad().cpu(), on_cpu.grad(), tolerance(logits), "gradient");
      }
    }
  }
}

TEST_F(GpuFunctions, GradientsAreTheSameToTheLastBitInEveryRun) {
  const Tensor x = numbers({3001, 512}), gain = numbers({512}), bias = numbers({512}), weight = numbers({512, 512});
  const auto gradients = [&] {
    const auto [base, normal] = norm_branch(x, gain, bias, 1e-5, torch::kBFloat16);
    const Tensor sum = add_dropped(base, bf16_linear(normal, weight, bias), kDraw);
    return torch::autograd::grad({sum.square().sum()}, {x, gain, bias, weight});
  };
  const auto first = gradients(), second = gradients();
  for (size_t i = 0; i < first.size(); ++i) EXPECT_TRUE(torch::equal(first[i], second[i])) << i;
}

}  // namespace
}  // namespace ventris::gpu
