#include "nn/layer_norm.h"

#include <ATen/autocast_mode.h>
#include <gtest/gtest.h>

namespace ventris::nn {
namespace {

struct Autocast {
  Autocast() {
    at::autocast::set_autocast_enabled(at::kCPU, true);
    at::autocast::set_autocast_dtype(at::kCPU, torch::kBFloat16);
  }
  ~Autocast() { at::autocast::set_autocast_enabled(at::kCPU, false); }
};

LayerNorm random_norm(int64_t width) {
  LayerNorm norm(width);
  const torch::NoGradGuard no_grad;
  norm->weight.normal_();
  norm->bias.normal_();
  return norm;
}

TEST(LayerNorm, IsTorchsOutsideOfAutocast) {
  torch::manual_seed(1);
  auto norm = random_norm(24);
  const auto x = torch::randn({2, 5, 24});
  EXPECT_TRUE(torch::equal(norm->for_products(x), norm(x)));
}

TEST(LayerNorm, UnderAutocastProductsGetTheResultRoundedToBf16) {
  torch::manual_seed(1);
  auto norm = random_norm(24);
  const auto x = torch::randn({2, 5, 24});
  const Autocast autocast;
  const auto narrow = norm->for_products(x);
  EXPECT_EQ(narrow.scalar_type(), torch::kBFloat16);
  EXPECT_EQ(narrow.sizes(), x.sizes());
  EXPECT_TRUE(torch::allclose(narrow.to(torch::kFloat), norm(x), 1.0 / 256, 1e-6));
}

TEST(LayerNorm, UnderAutocastGradientsAreTorchs) {
  torch::manual_seed(1);
  auto norm = random_norm(24);
  const auto x = torch::randn({7, 3, 24}).requires_grad_();
  const auto outer = torch::randn({7, 3, 24}).to(torch::kBFloat16);
  const std::vector<torch::Tensor> inputs{x, norm->weight, norm->bias};
  const auto expected = torch::autograd::grad({norm(x)}, inputs, {outer.to(torch::kFloat)});
  const Autocast autocast;
  const auto found = torch::autograd::grad({norm->for_products(x)}, inputs, {outer});
  for (size_t i = 0; i < inputs.size(); ++i) {
    EXPECT_EQ(found[i].scalar_type(), torch::kFloat);
    EXPECT_TRUE(torch::allclose(found[i], expected[i], 1e-4, 1e-5)) << i;
  }
}

}  // namespace
}  // namespace ventris::nn
