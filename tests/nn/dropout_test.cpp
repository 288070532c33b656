#include "nn/dropout.h"

#include <ATen/CPUGeneratorImpl.h>
#include <gtest/gtest.h>

#include <limits>
#include <sstream>
#include <stdexcept>

#include "nn/random_scope.h"

namespace ventris::nn {
namespace {

TEST(Dropout, DropsTheGivenShareAndKeepsTheMean) {
  torch::manual_seed(1);
  Dropout dropout(0.3);
  const auto result = dropout(torch::ones({1000, 100}));
  EXPECT_NEAR(result.eq(0).to(torch::kDouble).mean().item<double>(), 0.3, 0.01);
  EXPECT_NEAR(result.mean().item<double>(), 1.0, 0.02);
  EXPECT_NEAR(result.max().item<double>(), 1 / 0.7, 1e-6);
}

TEST(Dropout, DoesNothingInEvalMode) {
  Dropout dropout(0.9);
  dropout->eval();
  const auto x = torch::randn({3, 4});
  EXPECT_TRUE(dropout(x).is_same(x));
}

TEST(Dropout, DoesNothingAtZero) {
  Dropout dropout(0.0);
  const auto x = torch::randn({3, 4});
  EXPECT_TRUE(dropout(x).is_same(x));
}

TEST(Dropout, PassesTheGradientOfWhatItKept) {
  torch::manual_seed(1);
  Dropout dropout(0.5);
  const auto x = torch::randn({20, 20}, torch::requires_grad());
  const auto result = dropout(x);
  result.sum().backward();
  EXPECT_TRUE(torch::equal(x.grad(), result.detach().ne(0).to(torch::kFloat) * 2));
}

TEST(Dropout, DropsElementsIndependently) {
  torch::manual_seed(1);
  Dropout dropout(0.5);
  const int64_t size = 200000;
  const auto dropped = [&] { return dropout(torch::ones({size})).eq(0).to(torch::kDouble) - 0.5; };
  const auto one = dropped(), two = dropped();
  const auto correlation = [&](const torch::Tensor& a, const torch::Tensor& b) {
    return 4 * (a * b).mean().item<double>();
  };
  EXPECT_NEAR(correlation(one, two), 0, 0.01);  // 4 standard deviations
  for (const int64_t distance : {1, 2, 3, 8, 64, 1024, 65536}) {
    EXPECT_NEAR(correlation(one.narrow(0, 0, size - distance), one.narrow(0, distance, size - distance)), 0, 0.011)
        << distance;
  }
}

TEST(Dropout, AMaskIsTheBeginningOfALongerOne) {  // so neither vector width nor threads decide it
  Dropout dropout(0.5);
  const auto mask = [&](int64_t size) {
    const RandomScope scope(at::detail::createCPUGenerator(3));
    return dropout(torch::ones({size}));
  };
  const auto longest = mask(200000);
  for (const int64_t size : {1, 63, 64, 65, 1000, 70001})
    EXPECT_TRUE(torch::equal(mask(size), longest.narrow(0, 0, size)));
}

TEST(Dropout, TakesOtherTypesAndLayouts) {
  torch::manual_seed(1);
  Dropout dropout(0.5);
  for (const auto type : {torch::kFloat, torch::kDouble, torch::kBFloat16}) {
    const auto x = torch::ones({30, 20}, type).t();
    const auto result = dropout(x);
    EXPECT_EQ(result.scalar_type(), type);
    EXPECT_EQ(result.sizes(), x.sizes());
    EXPECT_TRUE(result.eq(0).logical_or(result.eq(2)).all().item<bool>());
  }
}

TEST(Dropout, RefusesProbabilitiesOutsideItsRange) {
  EXPECT_THROW(Dropout(1.0), std::invalid_argument);
  EXPECT_THROW(Dropout(-0.1), std::invalid_argument);
  EXPECT_THROW(Dropout(std::numeric_limits<double>::quiet_NaN()), std::invalid_argument);
}

TEST(Dropout, PrintsItsProbability) {
  std::ostringstream text;
  text << Dropout(0.25);
  EXPECT_EQ(text.str(), "ventris::nn::Dropout(p=0.25)");
}

TEST(Dropout, FusedWithItsNeighbourItIsTheTwoOneAfterTheOther) {
  Dropout dropout(0.3);
  for (const auto type : {torch::kFloat, torch::kBFloat16}) {
    const torch::Tensor base = torch::randn({7, 33}).requires_grad_();
    const torch::Tensor x = torch::randn({7, 33}).to(type).requires_grad_();
    const auto scoped = [](const auto& work) {
      const RandomScope scope(at::detail::createCPUGenerator(5));
      return work();
    };
    const auto compare = [&](const torch::Tensor& fused, const torch::Tensor& plain,
                             const std::vector<torch::Tensor>& of) {
      EXPECT_TRUE(torch::allclose(fused, plain, 1e-6, 1e-7));
      const torch::Tensor outer = torch::randn_like(fused);
      const auto found = torch::autograd::grad({fused}, of, {outer}),
                 expected = torch::autograd::grad({plain}, of, {outer});
      for (size_t i = 0; i < of.size(); ++i) EXPECT_TRUE(torch::allclose(found[i], expected[i], 1e-2, 1e-6)) << i;
    };
    if (type == torch::kFloat) {
      compare(scoped([&] { return dropout->add_to(base, x); }), scoped([&] { return base + dropout(x); }), {base, x});
    }
    compare(scoped([&] { return dropout->relu(x); }), scoped([&] { return dropout(at::relu(x)); }), {x});
  }
}

TEST(Dropout, InEvalModeFusedOrNotItIsNotThere) {
  Dropout dropout(0.3);
  dropout->eval();
  const torch::Tensor x = torch::randn({3, 5}), y = torch::randn({3, 5});
  EXPECT_TRUE(torch::equal(dropout->add_to(x, y), x + y));
  EXPECT_TRUE(torch::equal(dropout->relu(x), at::relu(x)));
}

}  // namespace
}  // namespace ventris::nn
