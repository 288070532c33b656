#include "training/adam.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "core/error.h"

namespace ventris::training {
namespace {

std::vector<torch::Tensor> gradients_at(const std::vector<NamedParameter>& parameters, int step) {
  std::vector<torch::Tensor> gradients;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const auto index = torch::arange(parameters[i].value.numel(), torch::kFloat).view_as(parameters[i].value);
    gradients.push_back(torch::sin(index * 0.7 + static_cast<double>(step) + static_cast<double>(i)));
  }
  return gradients;
}

torch::nn::Linear closed_form_linear() {
  torch::nn::Linear linear(5, 3);
  const torch::NoGradGuard no_grad;
  linear->weight.copy_(torch::cos(torch::arange(15, torch::kFloat)).view({3, 5}));
  linear->bias.copy_(torch::cos(torch::arange(3, torch::kFloat) + 20));
  return linear;
}

void expect_like_torch(settings::OptimizerKind kind) {
  auto ours = closed_form_linear(), theirs = closed_form_linear();
  settings::OptimizerConfig config;
  config.kind = kind;
  config.weight_decay = 0.01;
  Adam adam(distinct_named_parameters(*ours), config);
  std::unique_ptr<torch::optim::Optimizer> reference;
  if (kind == settings::OptimizerKind::kAdamW) {
    reference = std::make_unique<torch::optim::AdamW>(
        theirs->parameters(), torch::optim::AdamWOptions(0.01).betas({0.9, 0.98}).eps(1e-9).weight_decay(0.01));
  } else {
    reference = std::make_unique<torch::optim::Adam>(
        theirs->parameters(), torch::optim::AdamOptions(0.01).betas({0.9, 0.98}).eps(1e-9).weight_decay(0.01));
  }
  for (int step = 0; step < 10; ++step) {
    const auto gradients = gradients_at(adam.parameters(), step);
    theirs->weight.mutable_grad() = gradients[0].clone();
    theirs->bias.mutable_grad() = gradients[1].clone();
    reference->step();
    adam.step(gradients, 0.01);
  }
  EXPECT_TRUE(torch::allclose(ours->weight, theirs->weight, 1e-5, 1e-6));
  EXPECT_TRUE(torch::allclose(ours->bias, theirs->bias, 1e-5, 1e-6));
}

TEST(Adam, EqualsLibTorchsAdam) { expect_like_torch(settings::OptimizerKind::kAdam); }

TEST(Adam, EqualsLibTorchsAdamW) { expect_like_torch(settings::OptimizerKind::kAdamW); }

TEST(Adam, SavedAndLoadedGoesOnToTheSameBits) {
  auto straight = closed_form_linear(), resumed = closed_form_linear();
  Adam one(distinct_named_parameters(*straight), {});
  for (int step = 0; step < 6; ++step) one.step(gradients_at(one.parameters(), step), 0.01);

  Adam before(distinct_named_parameters(*resumed), {});
  for (int step = 0; step < 3; ++step) before.step(gradients_at(before.parameters(), step), 0.01);
  Adam after(distinct_named_parameters(*resumed), {});
  after.load(model::Safetensors::parse(before.save(), "saved"));
  EXPECT_EQ(after.updates(), 3);
  for (int step = 3; step < 6; ++step) after.step(gradients_at(after.parameters(), step), 0.01);
  EXPECT_TRUE(torch::equal(straight->weight, resumed->weight));
  EXPECT_TRUE(torch::equal(straight->bias, resumed->bias));
}

TEST(Adam, RefusesAStateOfAnotherShape) {
  auto small = closed_form_linear();
  torch::nn::Linear large(6, 3);
  Adam first(distinct_named_parameters(*small), {}), second(distinct_named_parameters(*large), {});
  EXPECT_THROW(second.load(model::Safetensors::parse(first.save(), "saved")), ModelError);
}

TEST(GlobalNorm, IsTheNormOfAllGradientsTogether) {
  EXPECT_NEAR(global_norm({torch::full({4}, 1.0), torch::Tensor(), torch::full({12}, 1.0)}), 4.0, 1e-6);
  EXPECT_EQ(global_norm({}), 0.0);
  EXPECT_FALSE(std::isfinite(global_norm({torch::full({1}, NAN)})));
}

}  // namespace
}  // namespace ventris::training
