#include "attention/kernel_regression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace ventris::attention {
namespace {

using torch::Tensor;

Tensor column(std::initializer_list<double> values) {
  return torch::tensor(std::vector<double>(values), torch::kDouble).unsqueeze(1);
}

KernelRegression make(RegressionKernel kernel, double width = 1, bool learned = false) {
  return KernelRegression(KernelRegressionOptions(kernel).width(width).learned(learned));
}

TEST(KernelRegression, WeightsAreTheKernelDividedByTheSum) {
  const Tensor query = column({0}), key = column({0, 1, 1.5, -4});
  const auto weights = [&](RegressionKernel kernel) { return make(kernel, 2)->weights(query, key)[0]; };
  const std::vector<double> raw{1, std::exp(-0.125), std::exp(-0.28125), std::exp(-2)};
  const double sum = raw[0] + raw[1] + raw[2] + raw[3];
  for (int64_t i = 0; i < 4; ++i)
    EXPECT_NEAR(weights(RegressionKernel::kGaussian)[i].item<double>(), raw[static_cast<size_t>(i)] / sum, 1e-7);
  EXPECT_TRUE(torch::allclose(weights(RegressionKernel::kBoxcar), column({1, 1, 1, 0}).squeeze(1) / 3));
  const Tensor epanechnikov = column({1, 0.75, 0.4375, 0}).squeeze(1);
  EXPECT_TRUE(torch::allclose(weights(RegressionKernel::kEpanechnikov), epanechnikov / epanechnikov.sum(), 1e-6, 1e-7));
}

TEST(KernelRegression, EstimatesAreMeansOfTheValues) {
  auto boxcar = make(RegressionKernel::kBoxcar);
  const Tensor estimates = boxcar(column({0, 10, 50}), column({-1, 1, 9.5, 30}), column({2, 4, 7, 100}));
  EXPECT_TRUE(torch::equal(estimates, column({3, 7, 0})));  // nothing is in reach of the last
}

TEST(KernelRegression, DistancesAreOfAllFeaturesAndBatchesStandAlone) {
  auto gaussian = make(RegressionKernel::kGaussian, 1.5);
  torch::manual_seed(1);
  const Tensor query = torch::randn({2, 3, 4}), key = torch::randn({2, 5, 4}), value = torch::randn({2, 5, 2});
  const Tensor expected = torch::matmul((-torch::cdist(query, key).square() / 4.5).softmax(-1), value);
  EXPECT_TRUE(torch::allclose(gaussian(query, key, value), expected, 1e-4, 1e-5));
  EXPECT_TRUE(torch::allclose(gaussian(query[1], key[1], value[1]), expected[1], 1e-4, 1e-5));
}

TEST(KernelRegression, HidingPointsEqualsLeavingThemOut) {
  const Tensor query = column({0.2, 1.1}), key = column({0, 1, 2}), value = column({5, 6, 7});
  const Tensor mask = torch::tensor({{1, 0, 1}, {0, 0, 0}}).to(torch::kBool);
  for (const auto kernel : {RegressionKernel::kGaussian, RegressionKernel::kBoxcar, RegressionKernel::kEpanechnikov}) {
    auto regression = make(kernel, 3);
    const Tensor found = regression(query, key, value, mask);
    const Tensor fewer = regression(query, column({0, 2}), column({5, 7}));
    EXPECT_TRUE(torch::allclose(found[0], fewer[0]));
    EXPECT_EQ(found[1].item<double>(), 0);  // nowhere to look
  }
}

TEST(KernelRegression, TheGradientOfTheWidthIsThatOfTheFormula) {
  const Tensor query = column({0.3, 1.7}), key = column({0, 1, 2}), value = column({5, -6, 7});
  for (const auto kernel : {RegressionKernel::kGaussian, RegressionKernel::kEpanechnikov}) {
    auto regression = make(kernel, 1.4, true);
    regression->to(torch::kDouble);
    const auto loss = [&] { return regression(query, key, value).square().sum(); };
    loss().backward();
    const double gradient = regression->log_width.grad().item<double>(), step = 1e-6;
    const torch::NoGradGuard no_grad;
    regression->log_width.add_(step);
    const double above = loss().item<double>();
    regression->log_width.sub_(2 * step);
    EXPECT_NEAR(gradient, (above - loss().item<double>()) / (2 * step), 1e-5);
  }
}

TEST(KernelRegression, ALearnedWidthFitsTheDataBetterThanTheFirstOne) {
  torch::manual_seed(1);
  const Tensor x = torch::linspace(0, 5, 40, torch::kDouble).unsqueeze(1), y = (3 * x).sin();
  const Tensor others = torch::eye(40, torch::kBool).logical_not();
  auto regression = make(RegressionKernel::kGaussian, 2, true);
  torch::optim::Adam optimizer(regression->parameters(), torch::optim::AdamOptions(0.05));
  const auto loss = [&] { return (regression(x, x, y, others) - y).square().mean(); };
  const double before = loss().item<double>();
  for (int step = 0; step < 200; ++step) {
    optimizer.zero_grad();
    loss().backward();
    optimizer.step();
  }
  EXPECT_LT(loss().item<double>(), 0.1 * before);
  EXPECT_LT(regression->width().item<double>(), 0.5);
}

TEST(KernelRegression, OnlyALearnedWidthIsAParameter) {
  EXPECT_TRUE(make(RegressionKernel::kGaussian)->parameters().empty());
  EXPECT_EQ(make(RegressionKernel::kGaussian, 1, true)->named_parameters().keys(),
            std::vector<std::string>{"log_width"});
}

TEST(KernelRegression, RefusesWidthsThatMakeNoKernel) {
  EXPECT_THROW(make(RegressionKernel::kGaussian, 0), std::invalid_argument);
  EXPECT_THROW(make(RegressionKernel::kGaussian, std::numeric_limits<double>::infinity()), std::invalid_argument);
  EXPECT_THROW(make(RegressionKernel::kBoxcar, 1, true), std::invalid_argument);
}

TEST(KernelRegression, RefusesOtherShapes) {
  auto regression = make(RegressionKernel::kGaussian);
  EXPECT_THROW(regression(torch::zeros({3, 2}), torch::zeros({3, 1}), torch::zeros({3, 1})), c10::Error);
  EXPECT_THROW(regression(torch::zeros({3, 1}), torch::zeros({3, 1}), torch::zeros({4, 1})), c10::Error);
}

TEST(KernelRegression, PrintsItsKernelAndWidth) {
  std::ostringstream text;
  text << make(RegressionKernel::kEpanechnikov, 0.5, true);
  EXPECT_NE(text.str().find("ventris::attention::KernelRegression(epanechnikov, width=0.5, learned)"),
            std::string::npos)
      << text.str();
}

}  // namespace
}  // namespace ventris::attention
