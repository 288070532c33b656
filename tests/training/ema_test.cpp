#include "training/ema.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace ventris::training {
namespace {

TEST(Ema, FollowsTheWeightsWithItsDecayOnceItIsWarm) {
  const torch::Tensor weight = torch::zeros({2});
  Ema ema({{"w", weight}}, 0.5);
  double expected = 0;
  for (int update = 1; update <= 30; ++update) {
    weight.fill_(update);
    ema.update();
    const double decay = std::min(0.5, (1.0 + update) / (10.0 + update));
    expected += (1 - decay) * (update - expected);
    EXPECT_NEAR(ema.average()[0].value[1].item<double>(), expected, 1e-5);
  }
}

TEST(Ema, ComesBackFromItsSavedState) {
  const torch::Tensor weight = torch::zeros({2});
  Ema first({{"w", weight}}, 0.9), second({{"w", weight}}, 0.9);
  const auto step = [&](Ema& ema, int update) {
    weight.fill_(update);
    ema.update();
  };
  for (int update = 1; update <= 5; ++update) step(first, update);
  second.load(model::Safetensors::parse(first.save(), "ema"));
  step(first, 6);
  step(second, 6);
  EXPECT_TRUE(torch::equal(first.average()[0].value, second.average()[0].value));
}

TEST(Ema, RefusesAnotherModelsState) {
  Ema ours({{"w", torch::zeros({2})}}, 0.9), theirs({{"v", torch::zeros({2})}}, 0.9);
  EXPECT_THROW(ours.load(model::Safetensors::parse(theirs.save(), "ema")), ModelError);
}

}  // namespace
}  // namespace ventris::training
