#include "plotting/kernel_figure.h"

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "attention/kernel_regression.h"
#include "core/error.h"
#include "core/random.h"
#include "figures/heat_map.h"

namespace ventris::plotting {
namespace {

using attention::KernelRegression;
using attention::KernelRegressionOptions;
using attention::RegressionKernel;
using torch::Tensor;

constexpr double kEnd = 5, kNoise = 0.5;  // x is in [0, kEnd)
constexpr int kLearningSteps = 300;
constexpr double kLearningRate = 0.05;

double truth(double x) { return 2 * std::sin(x) + std::pow(x, 0.8); }

struct Points {
  std::vector<double> x, y;  // sorted by x
};

Points noisy_points(int64_t count, uint64_t seed) {
  const core::RandomStream places(seed, 0), radii(seed, 1), angles(seed, 2);
  Points points;
  for (int64_t i = 0; i < count; ++i) points.x.push_back(kEnd * places.uniform(static_cast<uint64_t>(i)));
  std::sort(points.x.begin(), points.x.end());
  for (size_t i = 0; i < points.x.size(); ++i) {  // Box and Muller 1958
    const double radius = std::sqrt(-2 * std::log1p(-radii.uniform(i)));
    points.y.push_back(truth(points.x[i]) + kNoise * radius * std::cos(2 * std::numbers::pi * angles.uniform(i)));
  }
  return points;
}

/// [count, 1]
Tensor column(const std::vector<double>& values) { return torch::tensor(values, torch::kDouble).unsqueeze(1); }

/// Fits the width to the points: each of them is estimated from the others.
void learn_width(KernelRegression& regression, const Points& points) {
  const Tensor x = column(points.x), y = column(points.y);
  const Tensor others = torch::eye(x.size(0), torch::kBool).logical_not();
  torch::optim::Adam optimizer(regression->parameters(), torch::optim::AdamOptions(kLearningRate));
  for (int step = 0; step < kLearningSteps; ++step) {
    optimizer.zero_grad();
    (regression(x, x, y, others) - y).square().mean().backward();
    optimizer.step();
  }
}

figures::LineChart chart_of(const std::string& title, const Points& points, const std::vector<double>& places,
                            const Tensor& estimates) {
  figures::Series data{"data", points.x, points.y}, curve{"truth", places, {}}, estimate{"estimate", places, {}};
  data.line = false;
  for (size_t i = 0; i < places.size(); ++i) {
    curve.y.push_back(truth(places[i]));
    estimate.y.push_back(estimates[static_cast<int64_t>(i)].item<double>());
  }
  figures::LineChart chart;
  chart.texts = {title, "x", "y"};
  chart.series = {data, curve, estimate};
  chart.width = 410;
  chart.height = 300;
  return chart;
}

/// weights [queries, points]
figures::HeatMap weight_map(const Tensor& weights) {
  figures::HeatMap map;
  map.title = "weights";
  map.x_label = "data point, by x";
  map.y_label = "estimate, by x";
  map.rows = static_cast<size_t>(weights.size(0));
  map.columns = static_cast<size_t>(weights.size(1));
  const Tensor plain = weights.to(torch::kFloat).contiguous();
  map.values.assign(plain.const_data_ptr<float>(), plain.const_data_ptr<float>() + plain.numel());
  return map;
}

figures::ChartAndMap column_of(const std::string& kernel, KernelRegression& regression, const Points& points) {
  std::vector<double> places;
  for (size_t i = 0; i < points.x.size(); ++i)
    places.push_back(kEnd * static_cast<double>(i) / static_cast<double>(points.x.size() - 1));
  const torch::NoGradGuard no_grad;
  const Tensor query = column(places), x = column(points.x);
  Tensor estimates = regression(query, x, column(points.y)).squeeze(1);
  const Tensor weights = regression->weights(query, x);
  estimates = estimates.masked_fill(weights.sum(-1).eq(0), std::nan(""));  // no point in reach: a gap
  return {
      chart_of(fmt::format("{}, width {:.3g}", kernel, regression->width().item<double>()), points, places, estimates),
      weight_map(weights)};
}

void check(int64_t points, double width) {
  if (points < 2 || points > 200) fail<ConfigError>("--points: expected 2 to 200, got ", points);
  if (!(width > 0 && width <= 100)) {
    fail<ConfigError>("--kernel-width: expected a number over 0 and at most 100, got ", width);
  }
}

}  // namespace

std::string kernels_figure(int64_t points, double width, uint64_t seed) {
  check(points, width);
  const Points data = noisy_points(points, seed);
  std::vector<figures::ChartAndMap> columns;
  const auto add = [&](const std::string& name, const KernelRegressionOptions& options) {
    KernelRegression regression(options);
    if (options.learned()) learn_width(regression, data);
    columns.push_back(column_of(name, regression, data));
  };
  add("Gaussian", KernelRegressionOptions(RegressionKernel::kGaussian).width(width));
  add("Epanechnikov", KernelRegressionOptions(RegressionKernel::kEpanechnikov).width(width));
  add("Boxcar", KernelRegressionOptions(RegressionKernel::kBoxcar).width(width));
  add("Gaussian, learned", KernelRegressionOptions(RegressionKernel::kGaussian).width(width).learned(true));
  float highest = 0;
  for (const auto& made : columns) highest = std::max(highest, *std::ranges::max_element(made.map.values));
  for (auto& made : columns) made.map.high = figures::scale_end(highest);
  return figures::charts_over_maps("Kernel regression: attention to data points by distance", columns);
}

}  // namespace ventris::plotting
