#include "distributed/gradient_buckets.h"

#include <gtest/gtest.h>

namespace ventris::distributed {
namespace {

std::vector<nn::NamedParameter> parameters() {
  return {{"a", torch::ones({2, 3})}, {"b", torch::ones({4})}, {"c", torch::ones({5})}, {"d", torch::ones({1})}};
}

TEST(GradientBuckets, AreFilledFromTheLastParameter) {
  const GradientBuckets buckets(parameters(), /*first_bytes=*/8, /*bytes=*/36);
  ASSERT_EQ(buckets.size(), 2U);
  EXPECT_EQ(buckets.members(0), (std::vector<size_t>{3, 2}));
  EXPECT_EQ(buckets.members(1), (std::vector<size_t>{1, 0}));
  EXPECT_EQ(buckets.flat(0).numel(), 6);
  EXPECT_EQ(buckets.flat(1).numel(), 10);
}

TEST(GradientBuckets, OneHoldsAtLeastOneParameterAndASmallModelIsOne) {
  EXPECT_EQ(GradientBuckets(parameters(), 1, 1).size(), 4U);
  EXPECT_EQ(GradientBuckets(parameters()).size(), 1U);
}

TEST(GradientBuckets, GradientsAreViewsOfTheBuckets) {
  const GradientBuckets buckets(parameters(), 8, 36);
  for (size_t p = 0; p < 4; ++p) {
    EXPECT_EQ(buckets.gradients()[p].sizes(), parameters()[p].value.sizes());
    buckets.gradients()[p].fill_(static_cast<double>(p));
  }
  EXPECT_TRUE(torch::equal(buckets.flat(0), torch::tensor({3.F, 2.F, 2.F, 2.F, 2.F, 2.F})));
  EXPECT_EQ(buckets.flat(1).sum().item<float>(), 4.F);
}

}  // namespace
}  // namespace ventris::distributed
