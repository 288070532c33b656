#include "kernels/element_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/random_values.h"

namespace ventris::kernels {
namespace {

using test::factors_of;
using test::narrow;
using test::random_values;
using test::widen;

constexpr int64_t kCount = 1037;  // no multiple of any vector's length

TEST(DropDraw, DropsTheShareAskedForAndScalesTheRest) {
  for (const double p : {0.0, 0.1, 0.5, 0.9}) {
    const auto factors = factors_of({p, 7}, 1 << 20);
    const auto dropped = std::count(factors.begin(), factors.end(), 0.0F);
    EXPECT_NEAR(static_cast<double>(dropped) / (1 << 20), p, 0.002);
    for (const float factor : factors) ASSERT_TRUE(factor == 0 || factor == static_cast<float>(1 / (1 - p)));
  }
}

TEST(DropDraw, ElementsAreDrawnByTheirIndexWhateverTheSlice) {
  const DropDraw draw(0.4, 0x123456789abcULL);
  const auto x = random_values(kCount, 1);
  std::vector<float> whole(x.size()), parts(x.size());
  const auto& kernels = element_kernels<float>();
  kernels.drop(x.data(), whole.data(), 0, kCount, draw);
  for (const auto& [begin, end] : std::vector<std::pair<int64_t, int64_t>>{{0, 5}, {5, 500}, {500, kCount}}) {
    kernels.drop(x.data() + begin, parts.data() + begin, begin, end - begin, draw);
  }
  EXPECT_EQ(whole, parts);
}

TEST(DropDraw, TwoSeedsGiveTwoMasks) {
  EXPECT_NE(factors_of({0.5, 1}, 64), factors_of({0.5, 2}, 64));
  EXPECT_NE(factors_of({0.5, 1}, 64), factors_of({0.5, 1ULL << 32 | 1}, 64));
}

template <typename T>
class ElementKernelsTest : public testing::Test {
 protected:
  static constexpr float kRounding = sizeof(T) == 2 ? 1.0F / 256 : 1e-6F;
  const DropDraw draw{0.3, 99};
  const std::vector<float> factors = factors_of(draw, kCount);
  const std::vector<T> x = narrow<T>(random_values(kCount, 2)), y = narrow<T>(random_values(kCount, 3));
  const ElementKernels<T>& kernels = element_kernels<T>();

  static void expect_close(float found, float expected) {
    EXPECT_NEAR(found, expected, std::abs(expected) * kRounding + 1e-6F);
  }
};
using Types = testing::Types<float, BFloat16>;
TYPED_TEST_SUITE(ElementKernelsTest, Types);

TYPED_TEST(ElementKernelsTest, AddsWhatIsNotDropped) {
  const auto base = random_values(kCount, 4);
  std::vector<float> out(base.size());
  this->kernels.add_dropped(base.data(), this->y.data(), out.data(), 0, kCount, this->draw);
  for (size_t i = 0; i < out.size(); ++i) this->expect_close(out[i], base[i] + widen(this->y[i]) * this->factors[i]);
}

TYPED_TEST(ElementKernelsTest, TheGradientIsDroppedAlike) {
  const auto gradient = random_values(kCount, 5);
  std::vector<TypeParam> out(gradient.size());
  this->kernels.add_dropped_gradient(gradient.data(), out.data(), 0, kCount, this->draw);
  for (size_t i = 0; i < out.size(); ++i) this->expect_close(widen(out[i]), gradient[i] * this->factors[i]);
}

TYPED_TEST(ElementKernelsTest, ReluAndDropoutInOnePassAreTheTwo) {
  std::vector<TypeParam> out(this->x.size()), gradient(this->x.size());
  this->kernels.relu_dropped(this->x.data(), out.data(), 0, kCount, this->draw);
  this->kernels.relu_dropped_gradient(this->y.data(), out.data(), gradient.data(), kCount, this->draw.scale);
  for (size_t i = 0; i < out.size(); ++i) {
    this->expect_close(widen(out[i]), std::max(widen(this->x[i]), 0.0F) * this->factors[i]);
    this->expect_close(widen(gradient[i]), widen(this->x[i]) > 0 ? widen(this->y[i]) * this->factors[i] : 0);
  }
}

TYPED_TEST(ElementKernelsTest, ReluHidesNoNaN) {
  std::vector<TypeParam> values = this->x, out(values.size());
  values[3] = values.back() = narrow<TypeParam>({NAN})[0];  // in a whole vector, and at the end
  this->kernels.relu_dropped(values.data(), out.data(), 0, kCount, {0, 1});
  for (const size_t i : {size_t{3}, values.size() - 1}) EXPECT_TRUE(std::isnan(widen(out[i])));
}

TEST(BFloat16, IsRoundedToTheNearestAndKeepsWhatIsNotANumber) {
  const std::vector<float> x{1.0F, 1.00390625F, 1.01171875F, -1.0039065F, 3e38F, INFINITY, -INFINITY, NAN};
  std::vector<BFloat16> out(x.size());
  element_kernels<BFloat16>().add_dropped_gradient(x.data(), out.data(), 0, static_cast<int64_t>(x.size()), {0, 1});
  const auto found = widen(out);
  EXPECT_EQ(found[0], 1.0F);
  EXPECT_EQ(found[1], 1.0F);           // a tie: to even
  EXPECT_EQ(found[2], 1.015625F);      // a tie: to even
  EXPECT_EQ(found[3], -1.0078125F);    // just over a tie
  EXPECT_NEAR(found[4] / 3e38F, 1, 0.004);
  EXPECT_EQ(found[5], INFINITY);
  EXPECT_EQ(found[6], -INFINITY);
  EXPECT_TRUE(std::isnan(found[7]));
}

TYPED_TEST(ElementKernelsTest, AddRowsAddsEachColumnsSum) {
  constexpr int64_t kRows = 17, kWidth = kCount / kRows;
  auto sum = random_values(kWidth, 4);
  auto expected = sum;
  for (size_t i = 0; i < kRows * kWidth; ++i) expected[i % kWidth] += widen(this->x[i]);
  this->kernels.add_rows(this->x.data(), sum.data(), kRows, kWidth);
  EXPECT_EQ(sum, expected);
}

TYPED_TEST(ElementKernelsTest, AccumulateAddsToTheSum) {
  auto sum = random_values(kCount, 4);
  const auto before = sum;
  this->kernels.accumulate(this->x.data(), sum.data(), kCount);
  for (size_t i = 0; i < sum.size(); ++i) EXPECT_EQ(sum[i], before[i] + widen(this->x[i]));
}

}  // namespace
}  // namespace ventris::kernels
