#include "nn/model.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ventris::nn {
namespace {

/// A matrix under two names, another matrix, and a vector.
class TwoMatrices : public ModelImpl {
 public:
  TwoMatrices() {
    first = register_parameter("first", torch::full({30, 50}, 7.0));
    register_parameter("tied", first);
    second = register_parameter("second", torch::full({20, 20}, 7.0));
    vector = register_parameter("vector", torch::full({9}, 7.0));
  }
  torch::Tensor first, second, vector;
};

TEST(ModelInitialise, DrawsMatricesWithinTheBoundOfXavierAndLeavesVectors) {
  torch::manual_seed(1);
  TwoMatrices model;
  model.initialise();
  const double bound = std::sqrt(6.0 / 80);  // of [30, 50]
  EXPECT_LE(model.first.abs().max().item<double>(), bound);
  EXPECT_GT(model.first.abs().max().item<double>(), 0.9 * bound);
  EXPECT_LE(model.second.abs().max().item<double>(), std::sqrt(6.0 / 40));
  EXPECT_TRUE(torch::equal(model.vector, torch::full({9}, 7.0)));
}

TEST(ModelInitialise, DrawsATiedMatrixOnce) {
  TwoMatrices model;
  torch::manual_seed(1);
  model.initialise();
  torch::manual_seed(1);
  torch::Tensor first = torch::empty({30, 50}), second = torch::empty({20, 20});
  torch::nn::init::xavier_uniform_(first);
  torch::nn::init::xavier_uniform_(second);
  EXPECT_TRUE(torch::equal(model.first, first));
  EXPECT_TRUE(torch::equal(model.second, second)) << "the second matrix is drawn right after the first";
}

}  // namespace
}  // namespace ventris::nn
