#include "layers/packed_norm.h"

#include <gtest/gtest.h>

#include <cmath>

#include "arithmetic/every_kernel_set.h"

namespace ventris::layers {
namespace {

class PackedNormTest : public test::EveryKernelSet {
 protected:
  std::vector<float> normalised(architecture::NormKind kind, const Norm& norm) {
    architecture::TransformerOptions options;
    options.d_model = 4;
    options.norm_kind = kind;
    options.norm_epsilon = 0.5;
    std::vector<float> x{1, 2, 3, 6};
    normalise({kernels(), options, work_}, norm, x.data(), 1, x.data());
    return x;
  }

 private:
  Workspace work_;
};
INSTANTIATE_EVERY_KERNEL_SET(PackedNormTest);

TEST_P(PackedNormTest, ALayerNormTakesMeanAndSpread) {
  const auto x = normalised(architecture::NormKind::kLayer, {{1, 2, 1, 1}, {0, 0, 10, 0}});
  const float spread = std::sqrt(3.5F + 0.5F);  // the mean is 3
  const std::vector<float> expected{-2 / spread, 2 * -1 / spread, 10, 3 / spread};
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(x[i], expected[i], 1e-5);
}

TEST_P(PackedNormTest, AnRmsNormHasNoMeanAndNoBias) {
  const auto x = normalised(architecture::NormKind::kRms, {{1, 1, 1, 2}, {}});
  const float size = std::sqrt(12.5F + 0.5F);
  const std::vector<float> expected{1 / size, 2 / size, 3 / size, 12 / size};
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(x[i], expected[i], 1e-5);
}

}  // namespace
}  // namespace ventris::layers
