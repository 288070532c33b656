#include "nn/random_scope.h"

#include <ATen/CPUGeneratorImpl.h>
#include <gtest/gtest.h>

#include <thread>

#include "nn/dropout.h"

namespace ventris::nn {
namespace {

torch::Tensor drop_with_seed(Dropout& dropout, uint64_t seed) {
  const RandomScope scope(at::detail::createCPUGenerator(seed));
  return dropout(torch::ones({4, 50}));
}

TEST(RandomScope, MakesDropoutReproducible) {
  Dropout dropout(0.5);
  EXPECT_TRUE(torch::equal(drop_with_seed(dropout, 7), drop_with_seed(dropout, 7)));
  EXPECT_FALSE(torch::equal(drop_with_seed(dropout, 7), drop_with_seed(dropout, 8)));
}

TEST(RandomScope, LeavesTheDefaultGeneratorAlone) {
  Dropout dropout(0.5);
  torch::manual_seed(1);
  const auto undisturbed = torch::rand({5});
  torch::manual_seed(1);
  drop_with_seed(dropout, 7);
  EXPECT_TRUE(torch::equal(torch::rand({5}), undisturbed));
}

TEST(RandomScope, BelongsToOneThread) {
  Dropout dropout(0.5);
  const auto alone = drop_with_seed(dropout, 7);
  torch::Tensor here, there;
  const RandomScope scope(at::detail::createCPUGenerator(7));
  std::thread([&] { there = drop_with_seed(dropout, 7); }).join();
  here = dropout(torch::ones({4, 50}));
  EXPECT_TRUE(torch::equal(here, alone));
  EXPECT_TRUE(torch::equal(there, alone));
}

TEST(RandomScope, GivesTheOuterOneBackAtItsEnd) {
  EXPECT_FALSE(RandomScope::current().has_value());
  {
    const at::Generator outer = at::detail::createCPUGenerator(1);
    const RandomScope scope(outer);
    {
      const RandomScope inner(at::detail::createCPUGenerator(2));
    }
    EXPECT_EQ(RandomScope::current(), outer);
  }
  EXPECT_FALSE(RandomScope::current().has_value());
}

TEST(RandomScope, GoesOnDrawingFromItsGenerator) {
  Dropout dropout(0.5);
  const RandomScope scope(at::detail::createCPUGenerator(7));
  const auto first = dropout(torch::ones({4, 50})), second = dropout(torch::ones({4, 50}));
  EXPECT_FALSE(torch::equal(first, second));
}

TEST(RandomScope, IsNotThatOfAThreadBegunInIt) {
  const RandomScope scope(at::detail::createCPUGenerator(7));
  bool inherited = true;
  std::thread([&] { inherited = RandomScope::current().has_value(); }).join();
  EXPECT_FALSE(inherited);
}

}  // namespace
}  // namespace ventris::nn
