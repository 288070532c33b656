#include "layers/packed_ssru.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "arithmetic/every_kernel_set.h"
#include "support/random_numbers.h"

namespace ventris::layers {
namespace {

class SsruStepsTest : public test::EveryKernelSet {};
INSTANTIATE_EVERY_KERNEL_SET(SsruStepsTest);

TEST_P(SsruStepsTest, RowsKeepTheirCellsWhenTheyAreReordered) {
  architecture::TransformerOptions options;
  options.d_model = 5;
  options.decoder_layers = 2;
  const std::vector<float> open(5, -100.0F), closed(5, 100.0F);  // the forget gate: take the input, or keep the cell
  SsruSteps steps(kernels(), options);
  const auto run = [&](size_t layer, const std::vector<float>& inputs, const std::vector<float>& gate) {
    std::vector<float> projected, out(inputs.size() * 5), first;
    for (const float input : inputs) {
      projected.insert(projected.end(), 5, input);
      projected.insert(projected.end(), gate.begin(), gate.end());
    }
    steps.attend(layer, projected.data(), static_cast<int64_t>(inputs.size()), out.data());
    for (size_t row = 0; row < inputs.size(); ++row) first.push_back(out[row * 5]);
    return first;
  };
  steps.add();
  steps.add();
  EXPECT_EQ(run(0, {3, 4}, open), (std::vector<float>{3, 4}));
  EXPECT_EQ(run(1, {-1, 6}, open), (std::vector<float>{0, 6})) << "negative cells are 0 outside";
  steps.follow(std::vector<int32_t>{1, 0, 1});
  EXPECT_EQ(run(0, {9, 9, 9}, closed), (std::vector<float>{4, 3, 4}));
  EXPECT_EQ(run(1, {9, 9, 9}, closed), (std::vector<float>{6, 0, 6}));
  steps.clear();
  steps.add();
  EXPECT_EQ(run(0, {9}, closed), std::vector<float>{0}) << "a new row begins with 0";
}

}  // namespace
}  // namespace ventris::layers
